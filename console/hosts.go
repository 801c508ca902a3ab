package console

import (
	"net/http"
	"slices"

	"github.com/trammel-dev/trammel/liveness"
)

// hosts is what trammel doctor says, as a page.
func (c *console) hosts(_ http.ResponseWriter, r *http.Request) (*view, error) {
	if c.Hosts == nil {
		return nil, &problem{http.StatusServiceUnavailable, "This server does not check the agents on its machine.",
			"Run trammel doctor where they are."}
	}
	list, err := c.Hosts(r.Context())
	if err != nil {
		return nil, &problem{http.StatusServiceUnavailable, "The agents on this machine cannot be checked.", clean(err.Error())}
	}
	if name := r.PathValue("name"); name != "" {
		list = slices.DeleteFunc(list, func(h liveness.HostHealth) bool { return h.Host != name })
		if len(list) == 0 {
			return nil, &problem{http.StatusNotFound, "There is no such agent on this machine.", "See trammel doctor."}
		}
	}
	return &view{Template: "hosts", Title: "Hosts", Tab: "hosts", Data: list}, nil
}
