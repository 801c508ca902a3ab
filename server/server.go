// Package server is the engine as a service: it judges events over HTTP or a
// Unix socket, with the same pipeline as the programs, and lets people see and
// decide pending requests.
//
// Nothing is anonymous. Decisions need a proof that an agent on the same
// machine does not have; see server/auth.
package server

import (
	"context"
	"crypto/tls"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/approvals/deliver"
	"github.com/trammel-dev/trammel/console"
	"github.com/trammel-dev/trammel/liveness"
	"github.com/trammel-dev/trammel/packs/process"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/server/auth"
	"github.com/trammel-dev/trammel/server/otlp"
	"github.com/trammel-dev/trammel/server/secure"
	"github.com/trammel-dev/trammel/server/stream"
)

// Server answers requests. It is safe for concurrent use.
type Server struct {
	Program *full.Program
	Auth    *auth.Auth
	Log     *slog.Logger
	Hub     *stream.Hub
	// Health is the state of the agents on this machine; it may be nil.
	Health func(ctx context.Context) ([]liveness.HostHealth, error)
	// Hosts are the names of the server.
	Hosts []string
	TLS   bool
	Now   func() time.Time

	key         approvals.PrivateKey
	certificate tls.Certificate             // for TLS
	processes   map[string]*process.Process // by id
	collects    bool
	authority   []string // the keys that tombstones may be signed with; none are this machine's own
	exporter    *otlp.Exporter
	delivery    *deliver.Worker
	callbacks   http.Handler
	metrics     *metrics
	decisions   auth.Limit
	streams     streamCount
	judged      atomic.Int64 // when an event came last
	// ending ends when the server shuts down: then waiting clients are answered.
	ending context.Context
	end    context.CancelFunc
	ready  sync.Once
}

// init sets what requests share.
func (s *Server) init() {
	s.ready.Do(func() {
		s.decisions = auth.Limit{Most: 60, Per: time.Minute, Now: s.Now}
		s.streams = streamCount{most: 8, open: map[string]int{}}
		s.metrics = newMetrics(s)
		s.Auth.Problem = s.problem
		s.Auth.Ready()
	})
}

// Handler serves all routes.
func (s *Server) Handler() http.Handler {
	s.init()
	mux := http.NewServeMux()
	for _, r := range s.routes() {
		mux.Handle(r.method+" "+r.path, s.metrics.count(r.path, s.guarded(&r)))
	}
	mux.Handle("/v1/", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.problem(w, r, http.StatusNotFound, "there is no "+r.Method+" "+r.URL.Path+": see /v1/openapi.json")
	}))
	pages := console.Deps{Approvals: s.service, Decider: s.Auth.Decider, Hosts: s.Health, OIDC: s.Auth.OIDC != nil, Now: s.Now,
		Authority: s.authority}
	pages.Use(s.Program)
	mux.Handle("/", console.New(pages))
	origin := http.NewCrossOriginProtection()
	origin.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.problem(w, r, http.StatusForbidden, "this request comes from another site")
	}))
	foreign := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.problem(w, r, http.StatusMisdirectedRequest, "this server is not known by this name: see --url")
	})
	return secure.Headers(s.TLS, secure.Hosts(s.Hosts, foreign, origin.Handler(s.Auth.Middleware(mux))))
}

func (s *Server) guarded(r *route) http.Handler {
	if r.role == auth.Nobody {
		return r.handle
	}
	return s.Auth.Require(r.role, r.handle)
}

// service is the approvals service, with the current settings of the machine
// and the user.
func (s *Server) service(ctx context.Context) (*approvals.Service, error) {
	d, err := s.Program.OwnDesk()
	if err != nil {
		return nil, err
	}
	return d.Service(ctx)
}

// Roster is who may decide now; nobody, if the configuration cannot be read.
func (s *Server) Roster() *approvals.Roster {
	d, err := s.Program.OwnDesk()
	if err != nil {
		s.Log.Error("the configuration cannot be read", "error", err)
		return &approvals.Roster{}
	}
	return d.Settings.Roster()
}
