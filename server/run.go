package server

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/internal/loopback"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/server/auth"
	"github.com/trammel-dev/trammel/server/otlp"
	"github.com/trammel-dev/trammel/server/secure"
	"github.com/trammel-dev/trammel/server/stream"
)

// Options are the options of trammel serve.
type Options struct {
	Listen  string // an address; "" for none
	Socket  string // "" means the one in the state directory
	TLSCert string
	TLSKey  string
	URL     string // how browsers reach the server, if not by Listen
	Issuer  string // of OIDC
	Client  string
	Secret  string // of the client
	Claim   string // of the issuer's tokens: its values may have roles, as @value
	Roles   map[string]auth.Role
	Export  []string // who may export records; nil means every approver
	OTLP    string   // an address to export traces and metrics to; "" means the one in the environment, if any
	Collect bool     // take the evidence that machines push
	Process []string // directories of processes that agents may control
	Log     *slog.Logger
	// Authority are the keys that tombstones may be signed with; if empty, this
	// machine's own.
	Authority []string
	// Started, if set, is called with the addresses of the server.
	Started func(s *Server, url string)
}

// remembered is how many events a listener may lag behind.
const remembered = 4096

// Open builds a server for the directories.
func Open(ctx context.Context, dirs layers.Dirs, o *Options) (*Server, error) {
	certificate, err := o.check()
	if err != nil {
		return nil, err
	}
	key, err := OpenKey(ctx, dirs.State)
	if err != nil {
		return nil, err
	}
	s := &Server{key: key, certificate: certificate, Program: full.New(dirs), Log: o.Log, Hub: stream.NewHub(remembered),
		TLS: o.TLSCert != "", Now: time.Now, authority: o.Authority,
		Hosts: []string{"localhost", "127.0.0.1", "::1", "trammel"}}
	s.ending, s.end = context.WithCancel(context.Background())
	s.Program.Ending, s.Program.Logs = s.ending, &evidence.Group{}
	s.collects = o.Collect
	s.Program.Remember = 20 * time.Millisecond
	for _, dir := range o.Process {
		if err := s.addProcess(dir); err != nil {
			return nil, err
		}
	}
	svc, err := s.service(ctx)
	if err != nil {
		return nil, err
	}
	for _, address := range []string{o.URL, "//" + o.Listen} {
		if u, err := url.Parse(address); err == nil && u.Hostname() != "" {
			s.Hosts = append(s.Hosts, strings.ToLower(u.Hostname()))
		}
	}
	s.Auth = &auth.Auth{Credentials: s.credentials(svc), Roster: s.Roster,
		Authority: func() (*approvals.Sealed, error) {
			ring, err := approvals.LoadKeyring(dirs.State)
			if err != nil {
				return nil, err
			}
			return ring.Authority, nil
		}, Server: key, TLS: s.TLS, Roles: o.Roles, Exporters: o.Export, Now: s.Now,
		Wrong: func(ctx context.Context, address string) error {
			what := "a wrong authority secret was given to the server, from " + address
			return s.Program.Put(ctx, dirs.User, s.Program.AuthorityRecord(dirs.User, "authority.refused", what))
		}}
	if err := s.allowed(ctx, o); err != nil {
		return nil, err
	}
	if o.Issuer != "" {
		redirect := strings.TrimSuffix(o.URL, "/") + "/oidc/callback"
		if s.Auth.OIDC, err = auth.NewOIDC(ctx, o.Issuer, o.Client, o.Secret, redirect); err != nil {
			return nil, err
		}
		s.Auth.OIDC.Claim = o.Claim
	}
	if err := s.openChannels(ctx, o.URL); err != nil {
		return nil, err
	}
	s.init()
	if o.OTLP != "" || os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT") != "" {
		if s.exporter, err = otlp.Open(ctx, strings.TrimSuffix(o.OTLP, "/"), s.Program.Version); err != nil {
			return nil, err
		}
	}
	s.Program.Observe = func(r *evidence.Record) {
		s.metrics.observe(r)
		s.exporter.Event(r)
	}
	return s, nil
}

func (s *Server) credentials(svc *approvals.Service) *auth.Credentials {
	return &auth.Credentials{State: svc.Store, Signer: s.key, Servers: svc.Keys.Servers, Now: s.Now}
}

// OpenCredentials is for making tokens without a server, for the people that there
// are.
func OpenCredentials(ctx context.Context, dirs layers.Dirs) (*auth.Credentials, *approvals.Roster, error) {
	key, err := OpenKey(ctx, dirs.State)
	if err != nil {
		return nil, nil, err
	}
	s := &Server{key: key, Program: full.New(dirs), Now: time.Now}
	svc, err := s.service(ctx)
	if err != nil {
		return nil, nil, err
	}
	return s.credentials(svc), svc.Roster, nil
}

// check refuses values that cannot be right, before anything is opened, and
// reads the certificate.
func (o *Options) check() (certificate tls.Certificate, err error) {
	u, err := url.Parse(o.URL)
	switch {
	case o.URL != "" && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https"):
		return certificate, fmt.Errorf("--url is %q, expected an address such as https://trammel.example.com", o.URL)
	case (o.TLSCert == "") != (o.TLSKey == ""):
		return certificate, errors.New("--tls-cert and --tls-key belong together: give both or neither")
	case o.TLSCert == "":
		return certificate, nil
	}
	if certificate, err = tls.LoadX509KeyPair(o.TLSCert, o.TLSKey); err != nil {
		return certificate, fmt.Errorf("--tls-cert %s, --tls-key %s: %w", o.TLSCert, o.TLSKey, err)
	}
	return certificate, nil
}

// allowed refuses options that would let strangers in: an address that other
// machines can reach needs TLS, and a way for people or programs to log in.
func (s *Server) allowed(ctx context.Context, o *Options) error {
	if o.Issuer != "" && (o.URL == "" || o.Client == "") {
		return errors.New("OIDC needs --url, the address of this server as browsers see it, and --oidc-client")
	}
	if o.Listen == "" || ownMachine(o.Listen) {
		return nil
	}
	probe, err := loopback.Listen(o.Listen) // a wrong address needs no certificate
	if err != nil {
		return err
	}
	if err := probe.Close(); err != nil {
		return err
	}
	if o.TLSCert == "" {
		return fmt.Errorf("%s can be reached from other machines: give --tls-cert and --tls-key, or listen on 127.0.0.1", o.Listen)
	}
	if o.Issuer != "" {
		return nil
	}
	tokens, err := s.Auth.Credentials.List(ctx, auth.Token)
	if err != nil {
		return err
	}
	if len(tokens) == 0 {
		return fmt.Errorf("%s can be reached from other machines: give --oidc-issuer, or make a token first (trammel serve token create)",
			o.Listen)
	}
	return nil
}

func ownMachine(listen string) bool {
	host, _, err := net.SplitHostPort(listen)
	return err == nil && loopback.Is(host)
}

// Run serves until ctx ends. Then waiting clients are answered, and running
// requests are completed.
func (s *Server) Run(ctx context.Context, o *Options) error {
	listeners, where, err := s.listen(o)
	if err != nil {
		return err
	}
	base, abandon := context.WithCancel(context.WithoutCancel(ctx))
	defer abandon()
	h := &http.Server{Handler: s.Handler(), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 32 << 10,
		BaseContext: func(net.Listener) context.Context { return base }, ConnContext: withPeer,
		ErrorLog: slog.NewLogLogger(s.Log.Handler(), slog.LevelDebug)}
	work, stop := context.WithCancel(ctx)
	defer stop()
	go s.index(work)
	go s.feedRecords(work)
	go s.feedApprovals(work, s.Now())
	go s.sweep(work)
	go s.delivery.Run(work)
	failed := make(chan error, len(listeners))
	for _, l := range listeners {
		go func() { failed <- h.Serve(l) }()
	}
	if o.Started != nil {
		o.Started(s, where)
	}
	select {
	case err = <-failed:
	case <-ctx.Done():
	}
	s.end() // waiting clients are answered at once, and others have a moment
	defer time.AfterFunc(2*time.Second, abandon).Stop()
	finish, cancel := context.WithTimeout(context.WithoutCancel(ctx), 15*time.Second)
	defer cancel()
	return errors.Join(err, h.Shutdown(finish), s.exporter.Close(finish))
}

// listen opens the socket and the address.
func (s *Server) listen(o *Options) (list []net.Listener, where string, err error) {
	defer func() {
		if err != nil {
			for _, l := range list {
				l.Close()
			}
		}
	}()
	path, mode := o.Socket, os.FileMode(0o666) // the system tells us the user
	if path == "" {
		path, mode = socketFile(s.Program.Dirs.State), 0o600
	}
	socket, err := listenSocket(path, mode)
	if err != nil {
		return nil, "", err
	}
	list = append(list, socket)
	if o.Listen == "" {
		return list, "unix:" + path, nil
	}
	l, err := loopback.Listen(o.Listen)
	if err != nil {
		return list, "", err
	}
	l = secure.Patient{Listener: l}
	list = append(list, l)
	if !s.TLS {
		return list, "http://" + l.Addr().String(), nil
	}
	list[1] = tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{s.certificate}, MinVersion: tls.VersionTLS12,
		NextProtos: []string{"h2", "http/1.1"}})
	return list, "https://" + l.Addr().String(), nil
}
