package ctxdb

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// selfSigned writes a certificate for 127.0.0.1 and its key. It returns their paths and a pool that trusts the
// certificate.
func selfSigned(t *testing.T) (string, string, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	must(t, err)
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	must(t, err)
	folder := t.TempDir()
	certPath, keyPath := filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate})
	must(t, os.WriteFile(certPath, text, 0o600))
	must(t, os.WriteFile(keyPath, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), 0o600))
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(text)
	return certPath, keyPath, roots
}

func TestTLS(t *testing.T) {
	certificate, key, roots := selfSigned(t)
	address := "https://" + liveAddress(t, "CTXDB_TLS_CERT="+certificate, "CTXDB_TLS_KEY="+key)
	if healthy, err := connected(t, address, WithTLSRoots(roots)).System.Health(context.Background()); err != nil || !healthy {
		t.Errorf("with its roots: %v, %v", healthy, err)
	}
	if _, err := connected(t, address, WithRetries(0)).System.Health(context.Background()); CodeOf(err) != Unavailable {
		t.Errorf("with the system's roots: %v", err)
	}
}
