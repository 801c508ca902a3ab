package conformance

import (
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/trammel-dev/trammel/internal/canonical"
)

// hostData is what is known of a host from outside.
type hostData struct {
	Host  string `json:"host"`
	About string `json:"about"` // where the knowledge is from
	// Open: the host passes over keys that it does not know.
	Open bool `json:"open"`
	// LetsThrough are ways of damage after which the host's own contract has the
	// event go on. That is a gap, and has to be on record.
	LetsThrough []string `json:"lets_through"`
	// Arguments are the host's names for arguments of its tools.
	Arguments map[string]string `json:"arguments"`
	// Payloads are by kind, and by tool where the kind is about one:
	// "pre_tool_use shell".
	Payloads map[string]payload `json:"payloads"`
	// Forms are the answers that the host honours, by kind and class.
	Forms map[string]map[Class][]form `json:"forms"`
}

// payload is what the host sends, with values to be put in.
type payload struct {
	Name    string `json:"name"` // what the host calls the event
	Payload any    `json:"payload"`
}

// Hosts lists the hosts that the kit knows.
func Hosts() []string {
	names, _ := fs.Glob(kit, "hosts/*.json")
	for i, name := range names {
		names[i] = strings.TrimSuffix(path.Base(name), ".json")
	}
	return names
}

func loadHost(name string) (*hostData, error) {
	var h hostData
	file := "hosts/" + name + ".json"
	if _, err := fs.Stat(kit, file); err != nil {
		return nil, fmt.Errorf("unknown host %q, expected one of %s", name, strings.Join(Hosts(), ", "))
	}
	if err := readStrictly(kit, file, &h); err != nil {
		return nil, err
	}
	return &h, nil
}

// payload finds what the host sends for a fixture; not ok if it has no such event.
func (h *hostData) payload(f *Fixture) (payload, bool) {
	p, ok := h.Payloads[strings.TrimSpace(f.Event+" "+f.Tool)]
	return p, ok
}

// values are words in braces and what stands for them.
type values map[string]string

// fill replaces the words in all texts of a JSON value.
func (v values) fill(x any) any { return canonical.MapTexts(x, v.text) }

func (v values) text(s string) string {
	if !strings.Contains(s, "{") {
		return s
	}
	pairs := make([]string, 0, 2*len(v))
	for word, value := range v {
		pairs = append(pairs, "{"+word+"}", value)
	}
	return strings.NewReplacer(pairs...).Replace(s)
}
