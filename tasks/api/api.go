// Package api runs operations that are HTTP calls. The registry fixes the host, values
// of the input are escaped for their place, secrets come from the environment and go
// into headers only, and redirects are followed only to the same host.
package api

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/tasks/fill"
	"github.com/trammel-dev/trammel/tasks/operation"
	"github.com/trammel-dev/trammel/tasks/registry"
)

type prepared struct {
	call   operation.Call
	method string
	url    *url.URL
	header http.Header
	body   []byte
	spec   *registry.Request
}

// Prepare fills in the request.
func Prepare(c operation.Call) (operation.Prepared, error) {
	p := &prepared{call: c, spec: c.Impl.API, method: c.Impl.API.Method}
	for _, fillIn := range []func() error{p.address, p.content, p.headers} {
		if err := fillIn(); err != nil {
			return nil, trammel.Fail(trammel.CodeInput, "%w", err)
		}
	}
	return p, nil
}

func (p *prepared) values() map[string]any { return map[string]any{"input": p.call.Input} }

// address fills in the URL. Values are escaped, so that none can add a path element, a
// parameter or a host; "." and ".." would change the path, so they are refused.
func (p *prepared) address() error {
	var walks bool
	escape := func(s string) string {
		walks = walks || s == "." || s == ".."
		return strings.ReplaceAll(url.QueryEscape(s), "+", "%20")
	}
	text, _, err := fill.Text(p.spec.URL, p.values(), escape)
	if err != nil {
		return err
	}
	if walks {
		return errors.New("a value for the url is . or .., which would change the path")
	}
	if p.url, err = url.Parse(text); err != nil {
		return err
	}
	fixed, err := url.Parse(p.spec.URL)
	if err != nil || fixed.Host != p.url.Host || fixed.Scheme != p.url.Scheme {
		return errors.New("the url does not lead to the host in the registry")
	}
	return nil
}

func (p *prepared) content() error {
	if p.method == "" {
		p.method = http.MethodGet
		if p.spec.Body != nil {
			p.method = http.MethodPost
		}
	}
	p.header = http.Header{"Accept": {"application/json"}, "User-Agent": {"trammel"}}
	if p.spec.Body == nil {
		return nil
	}
	if text, ok := p.spec.Body.(string); ok && !strings.HasPrefix(strings.TrimSpace(text), "{{") {
		filled, _, err := fill.Text(text, p.values(), nil)
		p.body = []byte(filled)
		p.header.Set("Content-Type", "text/plain; charset=utf-8")
		return err
	}
	filled, _, err := fill.Value(p.spec.Body, p.values())
	if err != nil {
		return err
	}
	p.header.Set("Content-Type", "application/json")
	p.body, err = canonical.Append(nil, filled)
	return err
}

func (p *prepared) headers() error {
	secrets := map[string]any{}
	for _, name := range p.spec.SecretsFrom {
		value, ok := os.LookupEnv(name)
		if !ok {
			return fmt.Errorf("the environment variable %s is not set", name)
		}
		secrets[name] = value
	}
	values := p.values()
	values["env"] = secrets
	for name, text := range p.spec.Headers {
		value, skip, err := fill.Text(text, values, nil)
		switch {
		case err != nil:
			return err
		case skip:
			continue
		case strings.ContainsAny(value, "\r\n\x00"):
			return fmt.Errorf("the value for the header %s contains a line break", name)
		}
		p.header.Set(name, value)
	}
	return nil
}

// Action is a fetch of the address, with what the arguments reveal.
func (p *prepared) Action() trammel.Action {
	a := operation.Loose(p.call.ID, p.call.Input)
	if a.Kind != trammel.OtherAction && a.Kind != trammel.FetchAction {
		a.Also = append(a.Also, a.Kind)
	}
	a.Kind, a.URL = trammel.FetchAction, p.url.String()
	a.Content = cmp.Or(a.Content, string(p.body))
	return a
}

func (p *prepared) Run(ctx context.Context) (operation.Outcome, error) {
	ctx, cancel := context.WithTimeout(ctx, registry.Timeout(p.spec.TimeoutSec))
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, p.method, p.url.String(), bytes.NewReader(p.body))
	if err != nil {
		return operation.Outcome{}, err
	}
	request.Header = p.header
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true, MaxResponseHeaderBytes: 64 << 10}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport, CheckRedirect: p.redirect}
	response, err := client.Do(request)
	if err != nil {
		return operation.Outcome{}, operation.Ended(ctx, "the server", err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(io.LimitReader(response.Body, operation.MaxOutput+1))
	switch {
	case err != nil:
		return operation.Outcome{}, operation.Ended(ctx, "the server", err)
	case len(data) > operation.MaxOutput:
		return operation.Outcome{}, trammel.Fail(trammel.CodeOversized, "the answer has more than %d bytes", operation.MaxOutput)
	}
	return outcome(response, data)
}

// redirect follows redirects only to the same host, with the same or a safer scheme, so
// that neither the input nor a secret goes elsewhere.
func (p *prepared) redirect(next *http.Request, via []*http.Request) error {
	switch {
	case len(via) >= 5:
		return errors.New("too many redirects")
	case next.URL.Host != p.url.Host || next.URL.Scheme != p.url.Scheme && next.URL.Scheme != "https":
		return fmt.Errorf("it redirects to %s, which is not the host in the registry", next.URL.Host)
	}
	return nil
}

func outcome(response *http.Response, data []byte) (operation.Outcome, error) {
	body := any(strings.ToValidUTF8(string(data), "\uFFFD"))
	if object, err := strict.Object(data, strict.Limits{}); err == nil {
		body = object
	}
	output, ok := body.(map[string]any)
	if !ok {
		output = map[string]any{"http_status": int64(response.StatusCode), "body": body}
	}
	out := operation.Take(output)
	out.Partial = out.Partial || response.StatusCode == http.StatusMultiStatus
	if response.StatusCode >= 300 {
		return out, trammel.Fail(trammel.CodeError, "the server answered %s", response.Status)
	}
	return out, nil
}
