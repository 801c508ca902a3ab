package console

import (
	"fmt"
	"html/template"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/approvals/show"
	"github.com/trammel-dev/trammel/internal/plural"
	"github.com/trammel-dev/trammel/internal/secret"
	"github.com/trammel-dev/trammel/internal/visible"
	"github.com/trammel-dev/trammel/liveness"
	"github.com/trammel-dev/trammel/store"
)

// funcs are what templates say things with.
var funcs = template.FuncMap{
	"clean": clean, "lines": show.Lines, "ago": ago, "left": left, "stamp": stamp, "iso": iso, "short": short, "base": base, "sign": sign,
	"plural": plural.Of[int], "nav": func() []place { return places }, "keys": func() []shortcut { return shortcuts }, "share": share,
	"clock": func(t time.Time) string { return t.UTC().Format("15:04:05") }, "micros": took, "sinces": func() []string { return sinces },
	"status": func(a *store.Approval) string { return show.Status(a) }, "health": health, "would": would, "lasts": lasts,
	"tabs": func() []string { return tabs }, "title": title, "terms": terms,
	"missing": func(g *liveness.Gap) int { return g.Calls - g.Recorded },
	"millis":  func(t time.Time) int64 { return t.UnixMilli() },
}

// clean is one line of foreign text: secrets masked, nothing invisible.
func clean(text string) string {
	text, _ = secret.Redact(text)
	return visible.Line(text)
}

// ago says how long ago something was.
func ago(now, t time.Time) string {
	switch d := now.Sub(t); {
	case t.IsZero():
		return "never"
	case d < 5*time.Second:
		return "now"
	case d < time.Minute:
		return fmt.Sprintf("%d s ago", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h ago", int(d.Hours()))
	default:
		return fmt.Sprintf("%d days ago", int(d.Hours()/24))
	}
}

// left is how much time there is until t: 04:12, or 3 h 20 min.
func left(now, t time.Time) string {
	d := t.Sub(now).Truncate(time.Second)
	switch {
	case t.IsZero():
		return "no limit"
	case d <= 0:
		return "00:00"
	case d < time.Hour:
		return fmt.Sprintf("%02d:%02d", int(d.Minutes()), int(d.Seconds())%60)
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h %02d min", int(d.Hours()), int(d.Minutes())%60)
	}
	return fmt.Sprintf("%d days", int(d.Hours()/24))
}

// lasts is a duration in words.
func lasts(d time.Duration) string {
	if d >= time.Hour && d%time.Hour == 0 {
		return plural.Of(int(d.Hours()), "hour")
	}
	if d >= time.Minute && d%time.Minute == 0 {
		return plural.Of(int(d.Minutes()), "minute")
	}
	return d.String()
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }

func iso(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// short is the beginning of a digest or id.
func short(text string) string { return text[:min(len(text), 12)] }

// base is the last part of a path.
func base(path string) string {
	path = strings.TrimRight(path, `/\`)
	return path[strings.LastIndexAny(path, `/\`)+1:]
}

// mark is how a decision or state looks: a sign, a word and a class for the
// color.
type mark struct{ Sign, Word, Class string }

var marks = map[string]mark{
	"deny": {"✕", "DENY", "deny"}, "rejected": {"✕", "REJECTED", "deny"}, "revoked": {"✕", "TAKEN BACK", "deny"},
	"on": {"✓", "ON", "allow"}, "live": {"✓", "IN FORCE", "allow"},
	"ask": {"!", "ASK", "ask"}, "pending": {"!", "ASK", "ask"},
	"allow": {"✓", "ALLOW", "allow"}, "approved": {"✓", "APPROVED", "allow"}, "consumed": {"✓", "USED", "allow"},
	"rewritten": {"~", "REWRITTEN", "edit"}, "edited": {"~", "EDITED", "edit"},
	"failed": {"▲", "FAILED", "fail"}, "expired": {"▲", "EXPIRED", "fail"}, "lapsed": {"▲", "NOT USED", "fail"},
	"cancelled": {"▲", "CANCELLED", "fail"}, "none": {"·", "NONE", "none"},
}

func sign(of any) mark {
	if m, ok := marks[fmt.Sprint(of)]; ok {
		return m
	}
	return marks["none"]
}

// health is how the state of a host looks.
func health(s liveness.State) mark {
	switch s {
	case liveness.Protected:
		return mark{"✓", "PROTECTED", "allow"}
	case liveness.Limited, liveness.Degraded:
		return mark{"!", strings.ToUpper(string(s)), "ask"}
	case liveness.Unprotected:
		return mark{"✕", "UNPROTECTED", "deny"}
	}
	return mark{"·", "UNKNOWN", "none"}
}

// would is what a hook on trial would have done, in words.
func would(what string) string {
	switch what {
	case "deny":
		return "denied"
	case "ask":
		return "asked"
	case "allow":
		return "allowed"
	case "rewrite":
		return "rewritten"
	}
	return "added " + what + " to"
}
