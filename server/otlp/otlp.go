// Package otlp exports what the server judges as OpenTelemetry traces and
// metrics. It is off unless an endpoint is named. It exports names of tools,
// hooks and agents, and decisions; it does not export arguments, outputs,
// prompts and reasons.
package otlp

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/metric"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/store"
)

// Exporter sends spans and metrics in the background. Nil sends nothing.
type Exporter struct {
	traces  *sdktrace.TracerProvider
	metrics *sdkmetric.MeterProvider
	tracer  trace.Tracer

	took, decision metric.Float64Histogram
}

// Open starts exporting to an endpoint, an http(s) address; "" takes it from
// OTEL_EXPORTER_OTLP_ENDPOINT.
func Open(ctx context.Context, endpoint, version string) (*Exporter, error) {
	var forTraces []otlptracehttp.Option
	var forMetrics []otlpmetrichttp.Option
	if endpoint != "" {
		if u, err := url.Parse(endpoint); err != nil || u.Host == "" {
			return nil, fmt.Errorf("the OTLP endpoint is %q, expected an address such as http://127.0.0.1:4318", endpoint)
		}
		forTraces = append(forTraces, otlptracehttp.WithEndpointURL(endpoint+"/v1/traces"))
		forMetrics = append(forMetrics, otlpmetrichttp.WithEndpointURL(endpoint+"/v1/metrics"))
	}
	traces, err := otlptracehttp.New(ctx, forTraces...)
	if err != nil {
		return nil, err
	}
	metrics, err := otlpmetrichttp.New(ctx, forMetrics...)
	if err != nil {
		return nil, err
	}
	about := resource.NewSchemaless(attribute.String("service.name", "trammel"), attribute.String("service.version", version))
	e := &Exporter{traces: sdktrace.NewTracerProvider(sdktrace.WithBatcher(traces), sdktrace.WithResource(about)),
		metrics: sdkmetric.NewMeterProvider(sdkmetric.WithReader(sdkmetric.NewPeriodicReader(metrics)), sdkmetric.WithResource(about))}
	e.tracer = e.traces.Tracer("trammel")
	meter := e.metrics.Meter("trammel")
	e.took, err = meter.Float64Histogram("trammel.event.duration", metric.WithUnit("s"),
		metric.WithDescription("How long an event took to judge."))
	if err != nil {
		return nil, err
	}
	e.decision, err = meter.Float64Histogram("trammel.approval.duration", metric.WithUnit("s"),
		metric.WithDescription("How long people took to decide."))
	return e, err
}

// Close sends what is left.
func (e *Exporter) Close(ctx context.Context) error {
	if e == nil {
		return nil
	}
	return errors.Join(e.traces.Shutdown(ctx), e.metrics.Shutdown(ctx))
}

// Event exports an event: a span for it, and one for each hook that ran.
func (e *Exporter) Event(r *evidence.Record) {
	if e == nil {
		return
	}
	decision := "failed"
	if r.Verdict != nil {
		decision = r.Verdict.Decision
	}
	about := filled("trammel.host", r.Host, "trammel.event", r.Event, "trammel.decision", decision)
	e.took.Record(context.Background(), float64(r.Micros)/1e6, metric.WithAttributes(about...))
	name := r.Event
	about = append(about, filled("trammel.record", r.ID, "gen_ai.conversation.id", r.Session.ID, "gen_ai.agent.name", r.Session.Agent,
		"gen_ai.agent.id", r.Session.AgentID, "gen_ai.request.model", r.Session.Model)...)
	if r.Tool.Name != "" {
		name = "execute_tool " + r.Tool.Name
		about = append(about, filled("gen_ai.operation.name", "execute_tool", "gen_ai.tool.name", r.Tool.Name, "gen_ai.tool.call.id", r.Tool.ID,
			"trammel.action", r.Action.Kind)...)
	}
	ctx, span := e.tracer.Start(context.Background(), name, trace.WithTimestamp(r.Time), trace.WithAttributes(about...))
	for i := range r.Hooks {
		e.hook(ctx, &r.Hooks[i], r.Time)
	}
	if r.Error != nil {
		span.SetStatus(codes.Error, r.Error.Code)
	}
	span.End(trace.WithTimestamp(r.Time.Add(time.Duration(r.Micros) * time.Microsecond)))
}

func (e *Exporter) hook(ctx context.Context, h *evidence.HookRecord, start time.Time) {
	_, span := e.tracer.Start(ctx, "trammel.hook "+h.ID, trace.WithTimestamp(start), trace.WithAttributes(filled("trammel.hook.id", h.ID,
		"trammel.hook.kind", h.Kind, "trammel.hook.phase", h.Phase, "trammel.decision", h.Decision, "trammel.trial", h.Trial)...))
	if h.Failed {
		span.SetStatus(codes.Error, h.Code)
	}
	span.End(trace.WithTimestamp(start.Add(time.Duration(h.Micros) * time.Microsecond)))
}

// Approval exports one that was decided: from the request to the decision.
func (e *Exporter) Approval(a *store.Approval) {
	if e == nil {
		return
	}
	about := filled("trammel.approval.state", string(a.State), "trammel.host", a.Host)
	e.decision.Record(context.Background(), a.Decided.Sub(a.Created.Time).Seconds(), metric.WithAttributes(about...))
	about = append(about, filled("trammel.approval.id", a.ID, "trammel.hook.id", a.Hook, "gen_ai.tool.name", a.Tool, "gen_ai.agent.name",
		a.Agent)...)
	_, span := e.tracer.Start(context.Background(), "trammel.approval", trace.WithTimestamp(a.Created.Time), trace.WithAttributes(about...))
	span.End(trace.WithTimestamp(a.Decided.Time))
}

// filled makes attributes from names and values, without empty ones.
func filled(pairs ...string) []attribute.KeyValue {
	var out []attribute.KeyValue
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			out = append(out, attribute.String(pairs[i], pairs[i+1]))
		}
	}
	return out
}
