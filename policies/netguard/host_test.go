package netguard

import (
	"testing"

	"github.com/trammel-dev/trammel/effects/model"
)

func TestAddresses(t *testing.T) {
	for text, want := range map[string]string{
		"1.2.3.4": "1.2.3.4", "16909060": "1.2.3.4", "0x01020304": "1.2.3.4", "0X1.0x2.3.4": "1.2.3.4", "01.02.03.04": "1.2.3.4",
		"1.2.772": "1.2.3.4", "1.131844": "1.2.3.4",
		"0": "0.0.0.0", "127.1": "127.0.0.1", "0x": "0.0.0.0", "4294967295": "255.255.255.255",
		"::1": "0:0:0:0:0:0:0:1", "[::1]": "0:0:0:0:0:0:0:1", "::": "0:0:0:0:0:0:0:0", "fe80::1%eth0": "fe80:0:0:0:0:0:0:1",
		"2001:db8::2:1":  "2001:db8:0:0:0:0:2:1",
		"::ffff:1.2.3.4": "1.2.3.4", "::ffff:102:304": "1.2.3.4", "::1.2.3.4": "1.2.3.4", "64:ff9b::1.2.3.4": "1.2.3.4",
		"2002:102:304::1": "1.2.3.4", "1002:102:304::1": "1002:102:304:0:0:0:0:1", "64:f09b::1": "64:f09b:0:0:0:0:0:1",
		"64:ff9c::1": "64:ff9c:0:0:0:0:0:1", "::1.0.0.0": "1.0.0.0", "::0.1.0.0": "0.1.0.0", "::0.0.1.0": "0.0.1.0",
		"1:2:3:4:5:6:7:8": "1:2:3:4:5:6:7:8",
	} {
		if a, ok := parseAddress(text); !ok || a.String() != want {
			t.Errorf("%s: got %s %v, want %s", text, a, ok, want)
		}
	}
	for _, text := range []string{"", "a", "1.2.3.4.5", "256.1.1.1", "1.2.3.256", "08.1.1.1", "4294967296", "1..2", "1_0.1.1.1", "-1", ":::",
		"1::2::3", "1:2:3:4:5:6:7:8:9", "1:2", "::g", "12345::", "+1.1.1.1", "::1.2.3.999", "1:2:3:4:5:6:7::8:9", "256.1"} {
		if a, ok := parseAddress(text); ok {
			t.Errorf("%q is taken for %s", text, a)
		}
	}
}

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
