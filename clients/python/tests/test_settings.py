"""Settings of a client."""

from ctxdb._settings import Settings


def test_the_key_is_not_in_the_repr() -> None:
    settings = Settings("http://127.0.0.1:1933", key="secret")
    assert settings.key == "secret"
    assert "secret" not in repr(settings)
