package transparency

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	json "github.com/go-json-experiment/json"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/evidence"
)

// FST-63: records that are missing are accepted only with a tombstone that says
// exactly that, signed by the person.
func TestTombstoneIsHeldAgainstTheLog(t *testing.T) {
	type files map[string]string
	resigned := func(t *testing.T, data string, key approvals.PrivateKey, change func(*Tombstone)) string {
		t.Helper()
		var s Tombstone
		if err := json.Unmarshal([]byte(data), &s); err != nil {
			t.Fatal(err)
		}
		change(&s)
		if err := s.sign(key); err != nil {
			t.Fatal(err)
		}
		out, err := json.Marshal(&s, json.Deterministic(true))
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	for _, c := range []struct {
		name  string
		fault evidence.Fault
		part  string
		do    func(t *testing.T, o *old, name, data string, was files) // name and data are of the tombstone
	}{
		{"no tombstone", evidence.MissingSegment, "", func(t *testing.T, o *old, name, data string, was files) {
			os.Remove(filepath.Join(o.dir, name))
		}},
		{"changed", evidence.BadTombstone, "changed", func(t *testing.T, o *old, name, data string, was files) {
			o.put(name, strings.Replace(data, "alice", "mallory", 1))
		}},
		{"with a blank", evidence.BadTombstone, "canonical", func(t *testing.T, o *old, name, data string, was files) { o.put(name, data+" ") }},
		{"another key", evidence.BadTombstone, "not the authority key", func(t *testing.T, o *old, name, data string, was files) {
			o.put(name, resigned(t, data, other, func(*Tombstone) {}))
		}},
		{"claims more", evidence.BadTombstone, "begins with record", func(t *testing.T, o *old, name, data string, was files) {
			o.put("segment-000000000001.jsonl", was["segment-000000000001.jsonl"])
		}},
		{"claims less", evidence.MissingSegment, "", func(t *testing.T, o *old, name, data string, was files) {
			os.Remove(filepath.Join(o.dir, name))
			data = resigned(t, data, person, func(s *Tombstone) {
				s.Files = s.Files[:1]
				s.Last, s.Records, s.LastHash = s.Files[0].Last, s.Files[0].Last, s.Files[0].Hash
				name = tombstoneName(s.Last)
			})
			o.put(name, data)
		}},
		{"another count", evidence.BadTombstone, "records in", func(t *testing.T, o *old, name, data string, was files) {
			o.put(name, resigned(t, data, person, func(s *Tombstone) { s.Records++ }))
		}},
		{"another name", evidence.BadTombstone, "its name", func(t *testing.T, o *old, name, data string, was files) {
			os.Remove(filepath.Join(o.dir, name))
			o.put("tombstone-000000000099.json", data)
		}},
		{"overlapping", evidence.BadTombstone, "another tombstone covers", func(t *testing.T, o *old, name, data string, was files) {
			o.put("tombstone-000000000099.json", resigned(t, data, person, func(s *Tombstone) { s.Reason = "again" }))
		}},
		{"overlapping, begun", evidence.BadTombstone, "another tombstone covers", func(t *testing.T, o *old, name, data string, was files) {
			o.put(beginning, data)
		}},
		{"another past", evidence.PrevMismatch, "", func(t *testing.T, o *old, name, data string, was files) {
			o.put(name, resigned(t, data, person, func(s *Tombstone) {
				s.LastHash = strings.Repeat("a", 64)
				s.Files[len(s.Files)-1].Hash = s.LastHash
			}))
		}},
		{"no files", evidence.BadTombstone, "in 0 files", func(t *testing.T, o *old, name, data string, was files) {
			o.put(name, resigned(t, data, person, func(s *Tombstone) { s.Files = nil }))
		}},
		{"no records", evidence.BadTombstone, "records in", func(t *testing.T, o *old, name, data string, was files) {
			o.put(name, resigned(t, data, person, func(s *Tombstone) { s.Records = 0 }))
		}},
		{"record zero", evidence.BadTombstone, "records in", func(t *testing.T, o *old, name, data string, was files) {
			o.put(name, resigned(t, data, person, func(s *Tombstone) { s.First, s.Records = 0, s.Records+1 }))
		}},
		{"backwards", evidence.BadTombstone, "records in", func(t *testing.T, o *old, name, data string, was files) {
			o.put(name, resigned(t, data, person, func(s *Tombstone) { s.First, s.Records = s.Last+1, 0 }))
		}},
		{"a file twice", evidence.BadTombstone, "does not follow", func(t *testing.T, o *old, name, data string, was files) {
			o.put(name, resigned(t, data, person, func(s *Tombstone) { s.Files = append(s.Files[:1:1], s.Files...) }))
		}},
		{"an empty file", evidence.BadTombstone, "does not follow", func(t *testing.T, o *old, name, data string, was files) {
			o.put(name, resigned(t, data, person, func(s *Tombstone) { s.Files[0].Last = 0 }))
		}},
		{"a file without its peaks", evidence.BadTombstone, "does not follow", func(t *testing.T, o *old, name, data string, was files) {
			o.put(name, resigned(t, data, person, func(s *Tombstone) { s.Files[0].Peaks = nil }))
		}},
		{"one peak more", evidence.BadTombstone, "does not follow", func(t *testing.T, o *old, name, data string, was files) {
			o.put(name, resigned(t, data, person, func(s *Tombstone) { s.Files[0].Peaks = append(s.Files[0].Peaks, s.Root) }))
		}},
		{"another end", evidence.BadTombstone, "its last file", func(t *testing.T, o *old, name, data string, was files) {
			o.put(name, resigned(t, data, person, func(s *Tombstone) { s.LastHash = strings.Repeat("a", 64) }))
		}},
		{"a last file of another end", evidence.BadTombstone, "its last file", func(t *testing.T, o *old, name, data string, was files) {
			o.put(name, resigned(t, data, person, func(s *Tombstone) { s.Files = s.Files[:1] }))
		}},
		{"not a tombstone", evidence.BadTombstone, "cannot be read", func(t *testing.T, o *old, name, data string, was files) {
			o.put(name, "{")
		}},
		{"one more segment lost", evidence.MissingSegment, "", func(t *testing.T, o *old, name, data string, was files) {
			list, _ := filepath.Glob(filepath.Join(o.dir, "segment-*"))
			os.Remove(list[0])
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := newOld(t)
			was := files{}
			list, _ := filepath.Glob(filepath.Join(o.dir, "*"))
			for _, path := range list {
				data, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				was[filepath.Base(path)] = string(data)
			}
			name := tombstoneName(o.prune().Last)
			data, err := os.ReadFile(filepath.Join(o.dir, name))
			if err != nil {
				t.Fatal(err)
			}
			c.do(t, o, name, string(data), was)
			o.broken(c.name, c.fault, c.part)
			if _, err := o.p.Plan(); err == nil {
				t.Error("a broken log is pruned")
			}
			if _, err := Sign(o.dir, o.key, o.p.Keys); err == nil {
				t.Error("a broken log is signed")
			}
		})
	}
}
