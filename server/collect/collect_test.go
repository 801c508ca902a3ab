package collect

import (
	"bytes"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/evidence/transparency"
)

// log makes a log of some records, and returns its lines.
func log(t *testing.T, n int, id string) (lines [][]byte, receipts []evidence.Receipt) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "log")
	for range n {
		if _, err := evidence.Open(dir, evidence.Options{}).Append(t.Context(), []byte(`{"id":"`+id+`"}`)); err != nil {
			t.Fatal(err)
		}
	}
	err := evidence.Scan(dir, func(e evidence.Entry) error {
		lines, receipts = append(lines, append(bytes.Clone(e.Line), '\n')), append(receipts, e.Receipt)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines, receipts
}

func key(t *testing.T, name string) *transparency.Key {
	t.Helper()
	k, err := transparency.OpenKey(filepath.Join(t.TempDir(), "key"), name)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// What is refused leaves what had arrived as it was.
func TestTake(t *testing.T) {
	mine, other := key(t, "trammel/x"), key(t, "trammel/x")
	lines, at := log(t, 6, "a")
	foreign, theirs := log(t, 6, "b")
	join := func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	head := func(k *transparency.Key, seq uint64, hash string) []byte {
		data, err := k.SignHead(seq, hash)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	first := &Push{Verifier: mine.Verifier, Head: head(mine, 3, at[2].Hash), Lines: join(lines[:3]...)}
	for _, c := range []struct {
		name    string
		machine string
		log     string
		push    Push
		records uint64 // 0 is refused
	}{
		{"what comes next", "m", "l", Push{mine.Verifier, head(mine, 5, at[4].Hash), join(lines[3:5]...)}, 5},
		{"nothing new", "m", "l", Push{mine.Verifier, head(mine, 3, at[2].Hash), nil}, 3},
		{"another log, from its beginning", "m", "l2", Push{other.Verifier, head(other, 2, theirs[1].Hash), join(foreign[:2]...)}, 2},
		{"a log with a dot", "m", ".dotfiles-0123456789abcdef", *first, 3},
		{"three dots", "m", "...", *first, 0},
		{"a dot", "m", ".", *first, 0},
		{"the same lines again", "m", "l", *first, 0},
		{"lines in another order", "m", "l", Push{mine.Verifier, head(mine, 5, at[4].Hash), join(lines[4], lines[3])}, 0},
		{"a line twice", "m", "l", Push{mine.Verifier, head(mine, 4, at[3].Hash), join(lines[3], lines[3])}, 0},
		{"a line left out", "m", "l", Push{mine.Verifier, head(mine, 5, at[4].Hash), lines[4]}, 0},
		{"some that are here", "m", "l", Push{mine.Verifier, head(mine, 4, at[3].Hash), join(lines[2:4]...)}, 0},
		{"lines of another log", "m", "l", Push{mine.Verifier, head(mine, 4, theirs[3].Hash), foreign[3]}, 0},
		{"the middle of a log", "m", "l2", Push{mine.Verifier, head(mine, 4, at[3].Hash), lines[3]}, 0},
		{"fewer than there were", "m", "l", Push{mine.Verifier, head(mine, 2, at[1].Hash), nil}, 0},
		{"fewer, with lines", "m", "l", Push{mine.Verifier, head(mine, 2, at[1].Hash), lines[1]}, 0},
		{"another end", "m", "l", Push{mine.Verifier, head(mine, 3, theirs[2].Hash), nil}, 0},
		{"no record", "m", "l", Push{mine.Verifier, head(mine, 0, ""), nil}, 0},
		{"an end that was not sent", "m", "l", Push{mine.Verifier, head(mine, 6, at[5].Hash), join(lines[3:5]...)}, 0},
		{"more than was signed", "m", "l", Push{mine.Verifier, head(mine, 4, at[3].Hash), join(lines[3:5]...)}, 0},
		{"a hash that was not sent", "m", "l", Push{mine.Verifier, head(mine, 4, at[4].Hash), lines[3]}, 0},
		{"no line end", "m", "l", Push{mine.Verifier, head(mine, 4, at[3].Hash), bytes.TrimSpace(lines[3])}, 0},
		{"an empty line", "m", "l", Push{mine.Verifier, head(mine, 4, at[3].Hash), []byte("\n")}, 0},
		{"an empty line behind", "m", "l", Push{mine.Verifier, head(mine, 4, at[3].Hash), join(lines[3], []byte("\n"))}, 0},
		{"something before it", "m", "l", Push{mine.Verifier, head(mine, 4, at[3].Hash), join([]byte("junk\n"), lines[3])}, 0},
		{"a changed record", "m", "l", Push{mine.Verifier, head(mine, 4, at[3].Hash), bytes.ReplaceAll(lines[3], []byte(`"a"`), []byte(`"b"`))},
			0},
		{"another key", "m", "l", Push{other.Verifier, head(other, 4, at[3].Hash), lines[3]}, 0},
		{"signed by another key", "m", "l", Push{mine.Verifier, head(other, 4, at[3].Hash), lines[3]}, 0},
		{"not signed", "m", "l", Push{mine.Verifier, nil, lines[3]}, 0},
		{"no key", "m", "l", Push{"", head(mine, 4, at[3].Hash), lines[3]}, 0},
		{"no key that is one", "m", "l", Push{"trammel/x+00000000+AAAA", head(mine, 4, at[3].Hash), lines[3]}, 0},
		{"upwards", "m", "..", Push{mine.Verifier, head(mine, 4, at[3].Hash), lines[3]}, 0},
		{"no name", "m", "", Push{mine.Verifier, head(mine, 4, at[3].Hash), lines[3]}, 0},
		{"no machine", "", "l", Push{mine.Verifier, head(mine, 4, at[3].Hash), lines[3]}, 0},
		{"a folder", "m", "l/x", Push{mine.Verifier, head(mine, 4, at[3].Hash), lines[3]}, 0},
		{"a long name", "m", strings.Repeat("l", 129), Push{mine.Verifier, head(mine, 4, at[3].Hash), lines[3]}, 0},
		{"the verifier's file", "m/l", "verifier", Push{mine.Verifier, head(mine, 4, at[3].Hash), lines[3]}, 0},
	} {
		k := &Collector{t.TempDir()}
		if got, err := k.Take(t.Context(), "m", "l", first); err != nil || got.Records != 3 {
			t.Fatalf("%+v, %v", got, err)
		}
		file := filepath.Join(k.Dir, "m", "l", "current.jsonl")
		before, _ := os.ReadFile(file)
		got, err := k.Take(t.Context(), c.machine, c.log, &c.push)
		if refused := (*Refused)(nil); errors.As(err, &refused) != (c.records == 0) || c.records > 0 && (err != nil || got.Records != c.records) {
			t.Errorf("%s: %+v, %v", c.name, got, err)
		}
		if after, _ := os.ReadFile(file); c.records == 0 && !bytes.Equal(before, after) {
			t.Errorf("%s: it is refused, and here", c.name)
		}
	}
}

// The token goes to the collector alone, and nobody on the way can read it.
func TestWhereTheTokenGoes(t *testing.T) {
	asked := 0
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	defer elsewhere.Close()
	there := httptest.NewServer(http.RedirectHandler(elsewhere.URL, http.StatusTemporaryRedirect))
	defer there.Close()
	for _, url := range []string{there.URL, "http://192.0.2.1", "http://127.0.0.1.example", "https://me:secret@192.0.2.1",
		"ftp://127.0.0.1", "http://", ""} {
		k := key(t, "trammel/x")
		state, err := (&Client{URL: url, Token: "trm_x"}).Send(t.Context(), t.TempDir(), "log", k)
		if err == nil || strings.Contains(err.Error(), "refused") || strings.Contains(err.Error(), "secret@") {
			t.Errorf("%q: %+v, %v", url, state, err)
		}
	}
	if asked > 0 {
		t.Error("it went elsewhere")
	}
}
