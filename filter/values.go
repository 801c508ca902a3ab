package filter

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/trammel-dev/trammel/internal/nearest"
)

// fits refuses comparisons that mean nothing for a key.
func (p *parser) fits(key string, s sort, op string) error {
	texts := s == exact || s == glob || s == choice
	switch {
	case op == "" || op == "=" && s != moment:
		return nil
	case op == "~" && (s == exact || s == glob), op != "~" && (s == duration || s == ahead):
		return nil
	case texts && op != "~":
		return p.fail(p.at, "%s is not a number: it cannot be compared with %s", key, op)
	}
	return p.fail(p.at, "%s takes no %s", key, op)
}

// maxGroups is how many {a,b} a pattern has at most: each may double the work.
const maxGroups = 4

func (p *parser) read(k *keyword, op, key, text string) (v value, err error) {
	v.text = text
	switch {
	case op == "~":
		if v.expr, err = regexp.Compile(text); err != nil {
			err = fmt.Errorf("%q is not a regular expression: %s", text, strings.TrimPrefix(err.Error(), "error parsing regexp: "))
		}
		return v, err
	case k.sort == glob && op == "" && strings.ContainsAny(text, `*?[{\`):
		if !doublestar.ValidatePattern(text) || strings.Count(text, "{") > maxGroups {
			return v, fmt.Errorf("%q is not a pattern; write %s:=%q for exactly this", text, key, text)
		}
		v.pattern = true
	case k.sort == choice && !slices.Contains(k.choices, text):
		if near := nearest.Word(text, k.choices); near != "" {
			return v, fmt.Errorf("%q is not a value of %s, did you mean %q?", text, key, near)
		}
		return v, fmt.Errorf("%q is not a value of %s, expected one of %s", text, key, strings.Join(k.choices, ", "))
	case k.sort == duration:
		d, ok := span(text)
		if !ok {
			return v, fmt.Errorf("%q is not a duration, expected 250ms or 2s", text)
		}
		v.number = d.Microseconds()
	case k.sort == moment || k.sort == ahead:
		t, err := p.time(text, k.sort == ahead)
		v.number = t.UnixMicro()
		return v, err
	}
	return v, nil
}

// span reads a duration, also one in days.
func span(text string) (time.Duration, bool) {
	if days, ok := strings.CutSuffix(text, "d"); ok {
		n, err := strconv.ParseUint(days, 10, 16)
		return time.Duration(n) * 24 * time.Hour, err == nil
	}
	d, err := time.ParseDuration(text)
	return d, err == nil && d >= 0
}

// Time reads a time as since has it.
func Time(text string, now time.Time) (time.Time, error) {
	return (&parser{now: now}).time(text, false)
}

func (p *parser) time(text string, ahead bool) (time.Time, error) {
	if d, ok := span(text); ok {
		if ahead {
			return p.now.Add(d), nil
		}
		return p.now.Add(-d), nil
	}
	if t, err := time.ParseInLocation(time.DateOnly, text, p.now.Location()); err == nil {
		return t, nil
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil || t.Year() <= 1970 || t.Year() >= 10000 {
		return t, fmt.Errorf("%q is not a time, expected 2h, 7d, 2026-01-02 or 2026-01-02T15:04:05Z", text)
	}
	return t, nil
}

// placed turns since and until into comparisons of when it happened.
func (p *parser) placed(t *term) node {
	switch t.key {
	case "since":
		t.key, t.op = At, ">="
	case "until":
		t.key, t.op = At, "<="
	}
	return t
}
