package transparency

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/trammel-dev/trammel/evidence"
)

// CheckRemoved checks that lines, from an export or a copied segment, are what
// was removed from the log in dir. There may be other records before and after
// those. It returns the tombstones whose records the lines are.
func CheckRemoved(dir string, keys []string, lines io.Reader) ([]*Tombstone, error) {
	p, err := readPast(dir, keys)
	if err != nil {
		return nil, err
	}
	if len(p.stones) == 0 {
		return nil, errors.New("nothing was pruned from this log")
	}
	trees := make([]tree, len(p.stones))
	in := bufio.NewReader(lines)
	for number := 1; ; number++ {
		line, err := in.ReadBytes('\n')
		if err == io.EOF && len(line) == 0 {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("line %d has no end: %w", number, err)
		}
		line = line[:len(line)-1]
		r, err := evidence.ParseLine(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		for i, t := range p.stones {
			if r.Seq < t.First || r.Seq > t.Last {
				continue
			}
			if want := t.First + uint64(trees[i].size); r.Seq != want {
				return nil, fmt.Errorf("line %d is record %d, expected record %d", number, r.Seq, want)
			}
			if err := trees[i].add(line); err != nil {
				return nil, err
			}
		}
	}
	var found []*Tombstone
	for i, t := range p.stones {
		if trees[i].size == 0 {
			continue
		}
		if uint64(trees[i].size) != t.Records {
			return nil, fmt.Errorf("the copy has %d of the %d records of the tombstone (%s)", trees[i].size, t.Records, t)
		}
		if root, err := trees[i].root(trees[i].size); err != nil || root.String() != t.Root {
			return nil, fmt.Errorf("these are not the records that were removed: the root of %s is %v, and %s was signed", t, root, t.Root)
		}
		found = append(found, t)
	}
	if len(found) == 0 {
		return nil, errors.New("no record of the copy was pruned from this log")
	}
	return found, nil
}
