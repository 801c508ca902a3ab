package paths_test

import (
	"testing"

	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/world"
)

// Issue 12, quiet: a name of which only a part is unknown stays in its directory, unless
// something is there through which a value could lead out of it.
func TestUnknownPartsOfNames(t *testing.T) {
	w := &world.Frozen{HomeDir: "/home/ann", Files: map[string]string{"/w/src/a.go": "", "/w/lib-1/x": "", "/w/dist/a.zip": ""},
		Links: map[string]string{"/w/link": "/etc"}}
	for text, want := range map[string]string{
		"curl-$V":                      "/w/curl-*",
		"curl-${V}/src/$(uname -m)/a":  "/w/curl-*/src/0/a",
		"dist/a_${V#v}_${OS}.tar.gz":   "/w/dist/a_*_*.tar.gz",
		"dist/a-${REF#refs/tags/}.zip": "/w/dist/a-*.zip",
		"logs/$(date +%s)/out":         "/w/logs/0/out",
		"logs/$(date -u +%Y-%m-%d)":    "/w/logs/0",
		"logs/$((n + 1)).txt":          "/w/logs/0.txt",
		"/opt/x-$V":                    "/opt/x-*",
		"$V":                           "",
		"$V/a":                         "",
		"dist/$V":                      "",
		"dist/$V.zip":                  "",
		".$V":                          "",
		"..$V/a":                       "",
		"lib-$V/x":                     "", // lib-1/../..
		"lin$V":                        "", // a link
		"s$V":                          "", // src/../..
		"new-$V/$X":                    "",
		"a`id`":                        "",
		"a$(cat 'x')":                  "",
		"a$(date +/%s)":                "/w/a*",
		"logs/$(date +%s; cat x)":      "",
		"logs/$(date +x/../..)":        "",
		`a\\$V`:                        "",
		"a${V":                         "",
		"a[b]$V":                       "",
	} {
		r := paths.Resolver{World: w}
		p := r.Resolve(paths.Word{Text: text}, paths.Path{Abs: "/w", Real: "/w"})
		if p.Abs != want || p.Text == "" {
			t.Errorf("%s is %q, want %q", text, p.Abs, want)
		}
	}
}
