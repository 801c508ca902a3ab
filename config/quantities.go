package config

import (
	"strconv"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/internal/option"
)

// Duration is a time span above zero.
type Duration time.Duration

func (d *Duration) parse(text string) bool {
	err := (*option.Duration)(d).UnmarshalText([]byte(text))
	return err == nil && *d > 0
}
func (*Duration) wants() string { return "a duration above zero, such as 500ms, 5s or 2m" }
func (*Duration) schema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string",
		Pattern:  `^\+?([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))*$`,
		Examples: []any{"500ms", "5s", "2m"}}
}

// Moment is a point within a time span: a time after its start, or a percentage.
type Moment approvals.Moment

func (m *Moment) parse(text string) bool {
	if digits, ok := strings.CutSuffix(text, "%"); ok {
		n, err := strconv.Atoi(digits)
		*m = Moment{Percent: n}
		return err == nil && n > 0 && n < 100
	}
	var d Duration
	ok := d.parse(text)
	*m = Moment{After: time.Duration(d)}
	return ok
}
func (*Moment) wants() string { return "a duration above zero, such as 5m, or a part, such as 80%" }
func (*Moment) schema() *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{new(Duration).schema(),
		{Type: "string", Pattern: "^0*[1-9][0-9]?%$", Examples: []any{"80%"}}}}
}

// Size is a number of bytes above zero.
type Size int64

func (s *Size) parse(text string) bool {
	err := (*option.Size)(s).UnmarshalText([]byte(text))
	return err == nil && *s > 0
}
func (*Size) wants() string        { return "a size above zero, such as 64KiB, 1MiB or a number of bytes" }
func (*Size) numeric() (only bool) { return false }
func (*Size) schema() *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
		{Type: "integer", Minimum: new(1.0)},
		{Type: "string", Pattern: `^0*[1-9][0-9]* *(B|KiB|MiB|GiB)?$`, Examples: []any{"64KiB", "1MiB"}},
	}}
}
