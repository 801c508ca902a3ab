package fit

import (
	"path"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/programs/options"
)

// Stars match as those of path.Match do, but a slash as well.
func TestStars(t *testing.T) {
	texts := []string{"", "a", "ab", "abc", "get-token", "token", "xtokenx", "get-x-token", "a.b", "aa", "aba"}
	for _, pattern := range []string{"*", "a*", "*a", "*token*", "get-*-token", "*a*b*", "a*a", "**"} {
		for _, text := range texts {
			want, _ := path.Match(pattern, text)
			if got := stars(pattern, text); got != want {
				t.Errorf("%q fits %q: %v", pattern, text, got)
			}
		}
	}
	if !stars("*token*", "a/token/b") {
		t.Error("a slash is no letter")
	}
}

// A letter that is another one in ASCII when its case is ignored still counts.
func TestWordFoldsAllLetters(t *testing.T) {
	for text, want := range map[string]bool{"kill": true, "KILL": true, "\u212aill": true, "kil": false, "skill": false} {
		if got := Word("stop|kill", &model.Word{Text: text, Known: true}); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// What lets everybody in changes something, what goes out and what only looks does not.
func TestVerbOpens(t *testing.T) {
	for line, want := range map[string]string{
		"firewall create x --source-ranges=0.0.0.0/0": "change", "add-binding p --member=allUsers": "change",
		"firewall create x --source-ips ::/0": "change", "firewall create checkout 0.0.0.0/0": "change",
		"firewall create x --timeout=5 --ip=0.0.0.0/0": "change", "rule add egress 0.0.0.0/0": "",
		"policy create --statements any-user": "change", "rule create --start 0.0.0.0 --end 255.255.255.255": "change",
		"firewall list --filter=0.0.0.0/0": "", "firewall create x": "",
		"routes create r --destination-range=0.0.0.0/0": "", "firewall create x --outbound-rules=0.0.0.0/0": "",
		"rule create --source=0.0.0.0/0 --destination=10.0.0.0/8": "change", "rule create --dest=1.2.3.4/32 --src=::/0": "change",
		"rule create --direction=egress --range=0.0.0.0/0": "", "rule create --direction=ingress --range=0.0.0.0/0": "change",
	} {
		var a options.Args
		for word := range strings.FieldsSeq(line) {
			if name, value, ok := strings.Cut(strings.TrimPrefix(word, "--"), "="); strings.HasPrefix(word, "--") {
				a.Given = append(a.Given, options.Given{Name: name, Has: ok, Value: model.Word{Text: value, Known: true}})
			} else {
				a.Operands = append(a.Operands, model.Word{Text: word, Known: true})
			}
		}
		if got := Verb(&a); got != want {
			t.Errorf("%s: %q", line, got)
		}
	}
}
