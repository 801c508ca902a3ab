package config

import (
	"fmt"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/plan"
)

// settings takes each setting from the highest layer that has it, and within a
// layer from its first file. Untrusted files are ignored.
func (c *compiler) settings() {
	s := plan.DefaultSettings()
	s.Approvals, s.AskPeople = c.out.Settings.Approvals, c.out.Settings.AskPeople
	set := map[string]*unit{}
	for _, u := range c.units {
		c.deadlineGranted(u)
		take(c, set, u, "deadline", &u.Deadline, func(v Duration) { s.Deadline = time.Duration(v) })
		if u.Limits != nil {
			take(c, set, u, "limits.payload", &u.Limits.Payload, func(v Size) { s.MaxPayload = int64(v) })
		}
		if e := u.Evidence; e != nil {
			take(c, set, u, "evidence.payload", &e.Payload, func(v Choice) { s.Evidence.Payload = string(v) })
			take(c, set, u, "evidence.fsync", &e.Fsync, func(v Choice) { s.Evidence.Fsync = string(v) })
			take(c, set, u, "evidence.segment", &e.Segment, func(v Size) { s.Evidence.Segment = int64(v) })
			take(c, set, u, "evidence.on_error", &e.OnError, func(v Choice) { s.Evidence.OnError = string(v) })
		}
		take(c, set, u, "repository_hooks", &u.RepositoryHooks, func(on bool) {
			if !on {
				c.out.HooksOff = fmt.Sprintf("%s:%d", u.file.Path, u.at(&u.RepositoryHooks).Line)
			}
		})
		if f := u.Flow; f != nil {
			take(c, set, u, "flow.environment", &f.Environment, func(v bool) { s.Flow.Environment = v })
			take(c, set, u, "flow.profile", &f.Profile, func(v Profile) { s.Flow.Profile = v.String() })
			take(c, set, u, "flow.disabled", &f.Disabled, func(v []Text) { s.Flow.Disabled = strings.Join(texts(v), ",") })
		}
	}
	c.mcp(&s, set)
	c.out.Settings = s
}

// take uses a setting if it is given, not set yet, and the file may set it.
func take[T any](c *compiler, set map[string]*unit, u *unit, key string, value *T, use func(T)) {
	if c.takes(set, u, key, value) {
		use(*value)
	}
}

func (c *compiler) takes(set map[string]*unit, u *unit, key string, value any) bool {
	if !u.has(value) {
		return false
	}
	why := ""
	if !u.trusted() {
		why = "this file is not trusted"
	} else if by := set[key]; by != nil {
		why = fmt.Sprintf("%s sets it", by.file.Path)
	}
	if why != "" {
		c.note(CodeSettingUnused, u.file.Path, u.at(value).Line, "%s is not used: %s", key, why)
		return false
	}
	set[key] = u
	return true
}
