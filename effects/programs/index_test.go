package programs

import (
	"cmp"
	"encoding/binary"
	"errors"
	"flag"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/effects/programs/rows"
)

var update = flag.Bool("update", false, "make the index of the table again")

// TestIndex proves that the index fits the table, finds what a search finds, and
// that without it nothing is lost.
func TestIndex(t *testing.T) {
	type entry struct{ hash, at uint32 }
	var entries []entry
	for at := rows.Next(table, 0, len(table)); at < len(table); at = rows.Next(table, at+1, len(table)) {
		if table[at] == '#' {
			continue
		}
		name, _, _ := strings.Cut(table[at:], "\t")
		entries = append(entries, entry{rows.Hash(name), uint32(at)})
	}
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.at, b.at)) })
	want := binary.LittleEndian.AppendUint32(nil, uint32(len(table)))
	want = binary.LittleEndian.AppendUint32(want, uint32(len(entries)))
	for _, e := range entries {
		want = binary.LittleEndian.AppendUint32(want, e.hash)
		want = binary.LittleEndian.AppendUint32(want, e.at)
	}
	names := map[string]bool{}
	for _, body := range allRows(t) {
		for field := range strings.SplitSeq(body, ";") {
			if words := strings.Fields(field); len(words) > 1 && words[0] == "loads" {
				for _, name := range words[1:] {
					names[name] = names[name] || !strings.ContainsAny(name[:1], "-@") && !strings.Contains(name, "/")
				}
			}
		}
	}
	maps.DeleteFunc(names, func(_ string, plain bool) bool { return !plain })
	list := strings.Join(slices.Sorted(maps.Keys(names)), "\t\n") + "\t\n"
	if *update {
		if err := errors.Join(os.WriteFile("table.idx", want, 0o644), os.WriteFile("loaded.txt", []byte(list), 0o644)); err != nil {
			t.Fatal(err)
		}
		return
	}
	if list != loaded {
		t.Error("loaded.txt is stale: go test ./effects/programs -run TestIndex -update")
	}
	if string(want) != index {
		t.Fatal("table.idx is stale: go test ./effects/programs -run TestIndex -update")
	}
	for name := range allRows(t) {
		at, body := rows.Find(table, index, name)
		if place, searched := rows.Bisect(table, name); at < 0 || place != at || body != searched {
			t.Errorf("%s: the index has %q, the table %q", name, body, searched)
		}
		if at, _ := rows.Find(table, index, name+"~"); at >= 0 {
			t.Errorf("%s~ is found", name)
		}
	}
}
