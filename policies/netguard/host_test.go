package netguard

import (
	"testing"

	"github.com/trammel-dev/trammel/effects/model"
)

func FuzzHost(f *testing.F) {
	for _, seed := range []string{"https://github.com@evil.example", `http://a\@b`, "http://[::ffff:1.2.3.4%25x]:80", "http://0x7f.1",
		"http://ｅvil。example", "http://%65%", "x://", "ssh://ü:1:2"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, url string) {
		for _, h := range hostsOf(&model.Net{URL: url}) {
			again := newHost(h.name, h.port)
			if h.ip != again.ip || h.ip && h.name != again.name {
				t.Errorf("%q: %+v is read again as %+v", url, h, again)
			}
			h.metadata()
			h.loopback()
		}
		if e, err := parseEntry(url); err == nil {
			h := newHost(e.name, e.port)
			e.is(&h)
		}
	})
}
