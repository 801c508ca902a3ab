package main

import (
	"os"
	"runtime"
	"testing"

	"github.com/trammel-dev/trammel/test/pages"
)

const picture = "../../docs/images/terminal.svg"

// The picture of a terminal in README shows what these commands print, numbers aside.
func TestPicture(t *testing.T) {
	if runtime.GOOS == "windows" || testing.Short() {
		t.Skip("it is made with a POSIX shell")
	}
	t.Parallel()
	r := newReader(t)
	text := ""
	for _, command := range []string{`trammel explain "sudo git push -uf origin main"`,
		`trammel explain 'python3 -c "print(open(\".env\").read())"'`, "trammel evidence verify"} {
		out, err := r.shell(command)
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		text += "$ " + command + "\n" + out + "\n"
	}
	got := pages.Terminal(text)
	if *update {
		if err := os.WriteFile(picture, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(picture)
	if err != nil {
		t.Fatal(err)
	}
	if plain(got) != plain(string(want)) {
		t.Error("docs/images/terminal.svg is out of date: go test ./cmd/trammel -run TestPicture -update")
	}
}
