package fit

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
)

// leaves are the ends of paths whose values are no secrets: what things are called, and how
// they are.
const leaves = " name namespace uid phase podIP hostIP nodeName image replicas readyReplicas availableReplicas ready hostname ip port " +
	"clusterIP nodePort type status creationTimestamp restartCount "

// Names reports whether a template among the arguments of kubectl prints nothing else than
// names and states: -o jsonpath={.items[0].metadata.name}.
func Names(args []model.Word) bool {
	for _, w := range args {
		_, template, ok := strings.Cut(w.Text, "jsonpath=")
		if !ok || !w.Known || template == "" {
			continue
		}
		for template != "" {
			_, rest, _ := strings.Cut(template, "{")
			inner, after, closed := strings.Cut(rest, "}")
			if template = after; !closed {
				return rest == ""
			}
			leaf := inner[strings.LastIndexByte(inner, '.')+1:]
			if !strings.HasPrefix(inner, "range ") && inner != "end" && !strings.HasPrefix(inner, `"`) && !strings.Contains(leaves, " "+leaf+" ") {
				return false
			}
		}
		return true
	}
	return false
}
