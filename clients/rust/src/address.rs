use crate::error::Error;
use tonic::codegen::http::Uri;

/// Reads `host:port`, `http://host:port` or `https://host:port`; INVALID_ARGUMENT for anything else. Whether TLS is wanted stands in the scheme.
pub(crate) fn parse(address: &str) -> Result<Uri, Error> {
    let text = if address.contains("://") { address.to_owned() } else { format!("http://{address}") };
    let uri = text.parse::<Uri>().ok().filter(is_plain);
    uri.ok_or_else(|| Error::invalid("address", &format!("must be host:port, http://host:port or https://host:port, is {address:?}")))
}

fn is_plain(uri: &Uri) -> bool {
    let is_web = matches!(uri.scheme_str(), Some("http" | "https"));
    let is_bare = matches!(uri.path(), "" | "/") && uri.query().is_none();
    is_web && is_bare && uri.authority().is_some_and(|authority| !authority.host().is_empty() && !authority.as_str().contains('@'))
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn an_address_may_lack_its_scheme() {
        assert_eq!(parse("127.0.0.1:1933").unwrap().to_string(), "http://127.0.0.1:1933/");
        assert_eq!(parse("[::1]:1933").unwrap().to_string(), "http://[::1]:1933/");
        assert_eq!(parse("https://ctx.example").unwrap().to_string(), "https://ctx.example/");
    }

    #[test]
    fn a_malformed_address_is_refused() {
        for wrong in ["", "ftp://host", "http://", "http://host/path", "http://user:secret@host", "two words"] {
            assert_eq!(parse(wrong).unwrap_err().code(), "INVALID_ARGUMENT", "{wrong}");
        }
    }
}
