package dev.ctxdb.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressTest {
  @Test
  void anAddressMayLackItsScheme() {
    assertEquals(new Address("127.0.0.1", 1933, false), Address.parse("127.0.0.1:1933"));
    assertEquals(new Address("[::1]", 1933, false), Address.parse("http://[::1]:1933/"));
    assertEquals(new Address("ctx.example", 443, true), Address.parse("https://ctx.example"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "ftp://host", "http://", "http://host/path", "http://user:secret@host", "two words"})
  void aMalformedAddressIsRefused(String wrong) {
    CtxdbException error = assertThrows(CtxdbException.class, () -> Address.parse(wrong));
    assertEquals("INVALID_ARGUMENT", error.code());
    assertEquals("address", error.detail("field").orElseThrow());
  }
}
