package loopback

import (
	"strings"
	"testing"
)

func TestListenSaysWhatIsWrong(t *testing.T) {
	l, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for address, want := range map[string]string{
		l.Addr().String():  "another program is using this port; choose another one",
		"203.0.113.7:7777": "this machine does not have this address",
		"a..b:7777":        `"a..b" is not the name of a host that can be found`,
	} {
		if _, err := Listen(address); err == nil || !strings.HasPrefix(err.Error(), "cannot listen on "+address+": ") ||
			!strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v, expected %s", address, err, want)
		}
	}
}
