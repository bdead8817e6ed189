"""Settings of a client."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import grpc

VERSION = "0.1.0"
DEFAULT_ADDRESS = "http://127.0.0.1:1933"
DEFAULT_DEADLINE = 60.0
#: Uploads, downloads, exports and waits for a task move more than one answer.
DEFAULT_LONG_DEADLINE = 600.0
DEFAULT_RETRIES = 3
#: Above the 3 MiB that a server sends in one message.
MAX_MESSAGE_BYTES = 16 * 1024 * 1024
LOOPBACK = ("localhost", "127.0.0.1", "::1")
RECONNECT_MS = (100, 2000)


@dataclass(frozen=True)
class Settings:
    """The server's address, the caller's identity, time limits in seconds, and the number of retries."""

    address: str
    #: Not in ``repr``, which ends up in logs and reports of errors.
    key: str | None = field(default=None, repr=False)
    agent: str | None = None
    account: str | None = None
    user: str | None = None
    deadline: float = DEFAULT_DEADLINE
    long_deadline: float = DEFAULT_LONG_DEADLINE
    retries: int = DEFAULT_RETRIES
    tls_roots: str | Path | None = None
    target: str = field(init=False)
    is_secure: bool = field(init=False)

    def __post_init__(self) -> None:
        if self.retries < 0:
            raise ValueError("retries are 0 or more")
        secure, target = parse_address(self.address)
        object.__setattr__(self, "is_secure", secure)
        object.__setattr__(self, "target", target)

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        """The caller's identity."""
        named = (("x-api-key", self.key), ("x-ctx-agent", self.agent), ("x-ctx-account", self.account), ("x-ctx-user", self.user))
        return tuple((name, value) for name, value in named if value is not None)

    @property
    def credentials(self) -> grpc.ChannelCredentials:
        """TLS with the system's roots, or with those of a PEM file."""
        return grpc.ssl_channel_credentials(Path(self.tls_roots).read_bytes() if self.tls_roots is not None else None)

    @property
    def channel_options(self) -> list[tuple[str, int | str]]:
        options: list[tuple[str, int | str]] = [
            ("grpc.primary_user_agent", f"ctxdb-python/{VERSION}"),
            ("grpc.max_receive_message_length", MAX_MESSAGE_BYTES),
            ("grpc.initial_reconnect_backoff_ms", RECONNECT_MS[0]),
            ("grpc.max_reconnect_backoff_ms", RECONNECT_MS[1]),
        ]
        if self.target.rsplit(":", 1)[0].strip("[]") in LOOPBACK:
            options.append(("grpc.enable_http_proxy", 0))
        return options


def parse_address(address: str) -> tuple[bool, str]:
    """``http://host:port``, ``https://host:port`` or ``host:port`` as (TLS or not, ``host:port``). ValueError for anything else."""
    parts = urlsplit(address if "://" in address else f"http://{address}")
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path not in ("", "/") or parts.query or parts.username:
        raise ValueError(f"{address!r} is no address: use http://host:port, https://host:port or host:port")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    secure = parts.scheme == "https"
    return secure, f"{host}:{parts.port or (443 if secure else 1933)}"
