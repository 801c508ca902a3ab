package additions

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/world"
	"github.com/trammel-dev/trammel/internal/option"
)

// ListingOptions are those of add_directory_listing.
type ListingOptions struct {
	Max int `json:"max,omitempty" jsonschema:"How many names are listed."`
}

// Listing declares add_directory_listing.
func Listing() trammel.Policy {
	return policy("add_directory_listing", "tells the model what is in its directory", starting, ListingOptions{Max: 100},
		func(o ListingOptions) (addition, error) {
			return func(_ context.Context, ev *trammel.Event) (string, error) {
				return listing(world.Of(ev), ev.Session.Dir, o.Max)
			}, option.AtLeast("max", o.Max, 1)
		})
}

func listing(w trammel.World, dir string, most int) (string, error) {
	if dir == "" {
		return "", nil
	}
	entries, err := w.ReadDir(dir, maxEntries) // a directory of millions must not take long
	if err != nil && len(entries) == 0 {
		return "", err
	}
	var names []string
	for _, e := range entries {
		if name := e.Name(); !strings.HasPrefix(name, ".") {
			if e.IsDir() {
				name += "/"
			}
			names = append(names, oneLine(name))
		}
	}
	if len(names) == 0 {
		return "", nil
	}
	slices.Sort(names)
	more := ""
	if n := len(names) - most; n > 0 {
		names, more = names[:most], fmt.Sprintf("\n... and %d more", n)
	}
	return "What is in " + oneLine(dir) + ":\n" + strings.Join(names, "\n") + more, nil
}

const maxEntries = 20_000
