package dev.ctxdb.client;

import java.net.URI;
import java.net.URISyntaxException;

/** Host and port of a server, and whether to connect with TLS. */
record Address(String host, int port, boolean isSecure) {
  private static final String REASON = "must be host:port, http://host:port or https://host:port, is ";

  /** Throws INVALID_ARGUMENT for an address that is not valid. */
  static Address parse(String address) {
    URI uri = uriOf(address);
    boolean isSecure = "https".equals(uri.getScheme());
    boolean isWeb = isSecure || "http".equals(uri.getScheme());
    boolean isBare = uri.getRawUserInfo() == null && uri.getRawQuery() == null && uri.getRawFragment() == null && uri.getRawPath().matches("/?");
    if (!isWeb || !isBare || uri.getHost() == null) throw CtxdbException.invalid("address", REASON + address, null);
    int standard = isSecure ? 443 : 80;
    return new Address(uri.getHost(), uri.getPort() == -1 ? standard : uri.getPort(), isSecure);
  }

  private static URI uriOf(String address) {
    try {
      return new URI(address.contains("://") ? address : "http://" + address);
    } catch (URISyntaxException wrong) {
      throw CtxdbException.invalid("address", REASON + address, wrong);
    }
  }
}
