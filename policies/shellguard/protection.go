package shellguard

import (
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/policies/shellguard/words"
)

// unguards judges removing services or packages, or disabling them permanently.
func (j *judge) unguards(i int) {
	w := programs.Parse(&j.set.Runs[i])
	if w.Has("zap") { // what the program keeps in the home directory goes, too
		j.add("deletes_outside", j.line(i))
	}
	if !w.Has("e", "erase", "r", "R", "remove", "P", "purge", "del", "uninstall") && !w.Says("remove", "purge", "erase", "uninstall",
		"autoremove", "del", "delete", "off", "disable", "unload", "rm") {
		return
	}
	for _, o := range w.Operands {
		if words.Guards(o.Text) {
			j.add("security_disabled", j.line(i))
		}
	}
}
