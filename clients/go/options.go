package ctxdb

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
)

const (
	version             = "0.1.0"
	defaultAddress      = "http://127.0.0.1:1933"
	defaultDeadline     = 60 * time.Second
	defaultLongDeadline = 600 * time.Second // uploads, downloads, exports and waits for a task
	defaultRetries      = 3
	maxMessageBytes     = 16 << 20 // above the 3 MiB that a server sends in one message
	minConnectTimeout   = 20 * time.Second
)

// Option sets how to reach a server, and the identity to use.
type Option func(*settings)

// WithKey sends an API key.
func WithKey(key string) Option { return func(s *settings) { s.set("x-api-key", key) } }

// WithAgent sets the agent whose spaces and memories are used.
func WithAgent(agent string) Option { return func(s *settings) { s.set("x-ctx-agent", agent) } }

// WithAccount acts in this account; only with the root key, and with servers without keys.
func WithAccount(account string) Option { return func(s *settings) { s.set("x-ctx-account", account) } }

// WithUser acts as this user; only with the root key, and with servers without keys.
func WithUser(user string) Option { return func(s *settings) { s.set("x-ctx-user", user) } }

// WithDeadline sets the time limit of calls whose context has no deadline. Default: 60 s; 600 s for transfers
// and waits for a task.
func WithDeadline(deadline time.Duration) Option {
	return func(s *settings) { s.deadline, s.longDeadline = deadline, deadline }
}

// WithRetries sets how often a safe call is retried while the server is unavailable. Default: 3.
func WithRetries(retries int) Option { return func(s *settings) { s.retries = retries } }

// WithTLSRoots trusts these certificates instead of the system's.
func WithTLSRoots(roots *x509.CertPool) Option { return func(s *settings) { s.roots = roots } }

type settings struct {
	target                 string
	secure                 bool
	caller                 metadata.MD
	deadline, longDeadline time.Duration
	retries                int
	roots                  *x509.CertPool
}

func newSettings(address string, options []Option) (settings, error) {
	s := settings{caller: metadata.MD{}, deadline: defaultDeadline, longDeadline: defaultLongDeadline, retries: defaultRetries}
	for _, option := range options {
		option(&s)
	}
	if s.deadline <= 0 || s.retries < 0 {
		return s, errors.New("ctxdb: a deadline is more than 0, and retries are 0 or more")
	}
	var err error
	s.secure, s.target, err = parseAddress(address)
	return s, err
}

func (s *settings) set(name, value string) { s.caller.Set(name, value) }

func (s *settings) dialOptions() []grpc.DialOption {
	transport := insecure.NewCredentials()
	if s.secure {
		transport = credentials.NewTLS(&tls.Config{RootCAs: s.roots, MinVersion: tls.VersionTLS12})
	}
	return []grpc.DialOption{
		grpc.WithTransportCredentials(transport),
		grpc.WithUserAgent("ctxdb-go/" + version),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxMessageBytes)),
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff:           backoff.Config{BaseDelay: 100 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: 2 * time.Second},
			MinConnectTimeout: minConnectTimeout,
		}),
		// The caller decides which calls are safe to retry.
		grpc.WithDisableServiceConfig(),
		grpc.WithDisableRetry(),
	}
}

// parseAddress returns whether to use TLS, and host:port.
func parseAddress(address string) (bool, string, error) {
	whole := address
	if whole == "" {
		whole = defaultAddress
	} else if parsed, err := url.Parse(address); err != nil || parsed.Host == "" {
		whole = "http://" + address
	}
	parsed, err := url.Parse(whole)
	if err != nil || (parsed.Scheme != "http" && parsed.Scheme != "https") || parsed.Hostname() == "" ||
		(parsed.Path != "" && parsed.Path != "/") || parsed.RawQuery != "" || parsed.User != nil {
		return false, "", fmt.Errorf("ctxdb: %q is no address: use http://host:port, https://host:port or host:port", address)
	}
	secure, port := parsed.Scheme == "https", parsed.Port()
	if port == "" {
		port = map[bool]string{false: "1933", true: "443"}[secure]
	}
	return secure, net.JoinHostPort(parsed.Hostname(), port), nil
}
