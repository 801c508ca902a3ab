package console

import (
	"net/http"

	"github.com/trammel-dev/trammel/server/auth"
)

// loginForm is what the page to log in shows.
type loginForm struct {
	Next string
	Link string // a link that was printed by the command line: it only looks
	OIDC bool
}

// login shows the form; server/auth takes it.
func (c *console) login(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	f := loginForm{Next: auth.Next(q.Get("next")), Link: q.Get("link"), OIDC: c.OIDC}
	c.write(w, r, &view{Template: "login", Title: "Log in", Data: f})
}
