package optnames

import (
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/effects/model"
)

func said(line string) (program string, args []model.Word) {
	words := strings.Fields(line)
	for _, word := range words[1:] {
		args = append(args, model.Word{Text: word, Known: true})
	}
	return words[0], args
}

// The places that an unlisted program removes.
func TestRemoved(t *testing.T) {
	for line, want := range map[string]string{
		"spacehog remove /a /b":            "/a /b",
		"treezap /a":                       "/a",
		"qvm-remove /a":                    "/a",
		"x -rf /a":                         "/a",
		"x --wipe-path=/a":                 "/a",
		"x --delete /a":                    "/a",
		"x --delete-all /a":                "/a",
		"swiftclean -r /a":                 "/a",
		"swiftclean /a":                    "",
		"x remove /a --dry-run":            "",
		"x remove a":                       "",
		"x remove --config /c /a":          "/a",
		"x show /a":                        "",
		"podx run --rm -v /a":              "",
		"extundelete /a":                   "",
		"x one two three remove /a":        "",
		"photo --remove-metadata /a/b.png": "",
	} {
		var got []string
		for _, w := range Removed(said(line)) {
			got = append(got, w.Text)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, not %s", line, got, want)
		}
	}
}

func TestTakesLines(t *testing.T) {
	for line, want := range map[string]bool{"cmdrunner": true, "xshell --stdin": true, "x run -": true, "shellcheck -": false,
		"x fmt": false} {
		if TakesLines(said(line)) != want {
			t.Errorf("%s: %v", line, !want)
		}
	}
}

func TestFetches(t *testing.T) {
	for line, want := range map[string]bool{"xget u": true, "x get u": true, "x u -o f": true, "x u": false,
		"fetchrun u": false} {
		if Fetches(said(line)) != want {
			t.Errorf("%s: %v", line, !want)
		}
	}
}

func TestSharedCode(t *testing.T) {
	for word, want := range map[string]bool{`\\h\s\x.dll`: true, `\\h\s\x.txt`: false, `\\.\pipe\x.exe`: false,
		`c:\x.dll`: false, `\\h.exe`: false} {
		if SharedCode(word) != want {
			t.Errorf("%s: %v", word, !want)
		}
	}
}
