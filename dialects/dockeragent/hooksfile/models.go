package hooksfile

import (
	"maps"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/trammel-dev/trammel/internal/yamldoc"
)

// providers are those whose endpoints are known, and how they are declared.
var providers = map[string]string{
	"openai":    "key_env: OPENAI_API_KEY",
	"anthropic": "endpoint: anthropic\n      key_env: ANTHROPIC_API_KEY",
	"google":    "url: https://generativelanguage.googleapis.com/v1beta/openai\n      key_env: GOOGLE_API_KEY",
	"mistral":   "url: https://api.mistral.ai/v1\n      key_env: MISTRAL_API_KEY",
	"xai":       "url: https://api.x.ai/v1\n      key_env: XAI_API_KEY",
	"ollama":    "url: http://127.0.0.1:11434/v1",
	"dmr":       "url: http://127.0.0.1:12434/engines/v1",
}

func providerNames() string { return strings.Join(slices.Sorted(maps.Keys(providers)), ", ") }

// served is a model of the file: where it is asked, and under which name.
type served struct{ endpoint, name string }

// declared reads the file's own providers and models.
func (f *file) declared(top map[string]ast.Node) {
	f.endpoints, f.models = maps.Clone(providers), map[string]served{}
	for name, keys := range f.named(top["providers"]) {
		f.endpoints[name] = f.endpoint(keys, f.endpoints[f.text(keys["provider"])])
	}
	for name, keys := range f.named(top["models"]) {
		provider := f.text(keys["provider"])
		f.models[name] = served{f.endpoint(keys, f.endpoints[provider]), f.text(keys["model"])}
	}
}

// named are the mappings of a mapping, by their names.
func (f *file) named(n ast.Node) map[string]map[string]ast.Node {
	out := map[string]map[string]ast.Node{}
	pairs, _ := yamldoc.Pairs(n)
	for _, kv := range pairs {
		if _, ok := yamldoc.Pairs(kv.Value); ok {
			out[kv.Key.GetToken().Value] = f.mapping(kv.Value)
		}
	}
	return out
}

// endpoint is how an address is declared, unless the keys name another one.
func (f *file) endpoint(keys map[string]ast.Node, otherwise string) string {
	url, key := f.text(keys["base_url"]), f.text(keys["token_key"])
	if url == "" && key == "" {
		return otherwise
	}
	var lines []string
	for l := range strings.SplitSeq(otherwise, "\n      ") {
		if own := strings.HasPrefix(l, "url:") && url != "" || strings.HasPrefix(l, "key_env:"); !own && l != "" {
			lines = append(lines, l)
		}
	}
	if url != "" {
		lines = append(lines, "url: "+quoted(url))
	}
	if key != "" {
		lines = append(lines, "key_env: "+quoted(key))
	}
	return strings.Join(lines, "\n      ")
}

// endpointOf is where a model is asked: one that the file declares, or
// provider/model.
func (f *file) endpointOf(model string) (endpoint, name string, ok bool) {
	if m, declared := f.models[model]; declared {
		return m.endpoint, m.name, m.endpoint != "" && m.name != ""
	}
	provider, name, _ := strings.Cut(model, "/")
	endpoint, ok = f.endpoints[provider]
	return endpoint, name, ok && endpoint != "" && name != ""
}
