package server

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/store"
)

// metrics are what /metrics shows. No label comes from an agent, except for
// names of hosts and kinds of events, of which there are few.
type metrics struct {
	registry  *prometheus.Registry
	events    *prometheus.CounterVec
	took      prometheus.Histogram
	failures  *prometheus.CounterVec
	requests  *prometheus.CounterVec
	approvals *prometheus.CounterVec
	decision  prometheus.Histogram
}

func newMetrics(s *Server) *metrics {
	m := &metrics{registry: prometheus.NewRegistry(),
		events: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "trammel_events_total", Help: "Events that this server judged."},
			[]string{"host", "event", "decision"}),
		took: prometheus.NewHistogram(prometheus.HistogramOpts{Name: "trammel_event_seconds", Help: "How long an event took to judge.",
			Buckets: prometheus.ExponentialBuckets(0.0001, 4, 10)}),
		failures: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "trammel_hook_failures_total", Help: "Hooks that failed, by code."},
			[]string{"code"}),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "trammel_http_requests_total", Help: "Requests by route and status."},
			[]string{"route", "status"}),
		approvals: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "trammel_approvals_total", Help: "Approvals that were decided."},
			[]string{"state"}),
		decision: prometheus.NewHistogram(prometheus.HistogramOpts{Name: "trammel_approval_decision_seconds",
			Help: "How long people took to decide.", Buckets: prometheus.ExponentialBuckets(1, 3, 9)}),
	}
	waiting := prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "trammel_approvals_pending", Help: "Pending approvals, up to 1000."},
		func() float64 { return float64(s.pending()) })
	streams := prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "trammel_streams", Help: "Open streams."}, func() float64 {
		s.streams.mu.Lock()
		defer s.streams.mu.Unlock()
		return float64(s.streams.all)
	})
	m.registry.MustRegister(m.events, m.took, m.failures, m.requests, m.approvals, m.decision, waiting, streams,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

func (s *Server) pending() int {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	svc, err := s.service(ctx)
	if err != nil {
		return -1
	}
	list, err := svc.Store.Approvals(ctx, store.Query{States: []store.State{store.Pending}, Most: 1000})
	if err != nil {
		return -1
	}
	return len(list)
}

func (m *metrics) handler() http.HandlerFunc {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{}).ServeHTTP
}

// observe counts a recorded event.
func (m *metrics) observe(r *evidence.Record) {
	decision := "failed"
	if r.Verdict != nil {
		decision = r.Verdict.Decision
	}
	m.events.WithLabelValues(r.Host, r.Event, decision).Inc()
	m.took.Observe(float64(r.Micros) / 1e6)
	for i := range r.Hooks {
		if h := &r.Hooks[i]; h.Failed {
			m.failures.WithLabelValues(h.Code).Inc()
		}
	}
}

// decided counts an approval that has ended since the last look.
func (m *metrics) decided(a *store.Approval) {
	m.approvals.WithLabelValues(string(a.State)).Inc()
	m.decision.Observe(a.Decided.Sub(a.Created.Time).Seconds())
}

// count counts the answers of a route.
func (m *metrics) count(route string, next http.Handler) http.Handler {
	var known [600]prometheus.Counter
	for status := range known {
		if http.StatusText(status) != "" {
			known[status] = m.requests.WithLabelValues(route, strconv.Itoa(status))
		}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen := statusWriter{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(&seen, r)
		if c := known[seen.status%600]; c != nil {
			c.Inc()
		}
	})
}

// statusWriter remembers the status.
type statusWriter struct {
	http.ResponseWriter
	status int
}

func (w *statusWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap is for http.ResponseController.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
