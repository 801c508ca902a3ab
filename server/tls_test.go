package server

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/server/auth"
)

// chain makes an authority, one below it, and a certificate for trammel.test,
// and returns the files of the server and what clients trust.
func chain(t *testing.T) (cert, key string, trusted *x509.CertPool) {
	t.Helper()
	var parent *x509.Certificate
	var signer *ecdsa.PrivateKey
	var files []byte
	trusted = x509.NewCertPool()
	for i, name := range []string{"root", "issuing", "trammel.test"} {
		k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		c := &x509.Certificate{SerialNumber: big.NewInt(int64(i + 1)), Subject: pkix.Name{CommonName: name},
			NotBefore: time.Now().Add(-time.Hour),
			NotAfter:  time.Now().Add(time.Hour), BasicConstraintsValid: true, IsCA: i < 2, KeyUsage: x509.KeyUsageCertSign}
		if !c.IsCA {
			c.DNSNames, c.KeyUsage = []string{name}, x509.KeyUsageDigitalSignature
			c.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
		}
		if parent == nil {
			parent, signer = c, k
		}
		der, err := x509.CreateCertificate(rand.Reader, c, parent, &k.PublicKey, signer)
		if err != nil {
			t.Fatal(err)
		}
		if parent, err = x509.ParseCertificate(der); err != nil {
			t.Fatal(err)
		}
		signer = k
		if i == 0 {
			trusted.AddCert(parent)
			continue
		}
		files = append(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), files...) // its own first
	}
	der, err := x509.MarshalPKCS8PrivateKey(signer)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for path, data := range map[string][]byte{cert: files, key: pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})} {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key, trusted
}

// On an address that others reach, with a certificate and a token: HTTP/2, a
// chain that clients verify, cookies for HTTPS only, no old TLS (UI-28).
func TestTLS(t *testing.T) {
	cert, key, trusted := chain(t)
	w := newWorld(t, gate)
	o := Options{Listen: "0.0.0.0:0", TLSCert: cert, TLSKey: key, URL: "https://trammel.test", Log: quiet}
	if _, err := Open(t.Context(), w.dirs, &o); err == nil || !strings.Contains(err.Error(), "token create") {
		t.Fatalf("nobody can be known, and it opens: %v", err)
	}
	credentials, _, err := OpenCredentials(t.Context(), w.dirs)
	if err != nil {
		t.Fatal(err)
	}
	token, err := credentials.Create(t.Context(), auth.Credential{Kind: auth.Token, Name: "ci", Role: auth.Agent, Identity: "token:ci"})
	if err != nil {
		t.Fatal(err)
	}
	r := w.start(t, o)
	at, err := url.Parse(r.url)
	if err != nil || at.Scheme != "https" {
		t.Fatalf("%s, %v", r.url, err)
	}
	r.url = "https://127.0.0.1:" + at.Port()
	client := func(c *tls.Config) *http.Client {
		return &http.Client{Transport: &http.Transport{TLSClientConfig: c, ForceAttemptHTTP2: true}, CheckRedirect: r.client.CheckRedirect}
	}
	for name, c := range map[string]*tls.Config{
		"an authority that is not trusted": {ServerName: "trammel.test"},
		"another name":                     {ServerName: "other.test", RootCAs: trusted},
		"old TLS": {ServerName: "trammel.test", RootCAs: trusted, MinVersion: tls.VersionTLS10,
			MaxVersion: tls.VersionTLS11},
	} {
		if res, err := client(c).Get(r.url + "/healthz"); err == nil {
			t.Errorf("%s: %s", name, res.Status)
		}
	}
	r.client = client(&tls.Config{ServerName: "trammel.test", RootCAs: trusted})
	res := r.send("POST", "/v1/events", string(w.event("s", "shell", map[string]any{"command": "ls"})), "Authorization", "Bearer "+token)
	res.Body.Close()
	if res.StatusCode != 200 || res.ProtoMajor != 2 || res.Header.Get("Strict-Transport-Security") == "" {
		t.Errorf("%s by %s, %v", res.Status, res.Proto, res.Header)
	}
	res = r.send("POST", "/v1/events", "{}")
	if res.Body.Close(); res.StatusCode != http.StatusUnauthorized {
		t.Errorf("without a token: %s", res.Status)
	}
	me := r.login()
	if k := me.cookie; k.Name != "__Host-trammel" || !k.Secure || !k.HttpOnly || k.Path != "/" || k.Domain != "" {
		t.Errorf("%+v", k)
	}
	res = me.send("GET", "/inbox", "")
	if res.Body.Close(); res.StatusCode != 200 {
		t.Errorf("the page: %s", res.Status)
	}
	plain, err := http.Get("http://127.0.0.1:" + at.Port() + "/healthz")
	if err == nil && plain.StatusCode == 200 {
		t.Error("it answers without TLS")
	}
}
