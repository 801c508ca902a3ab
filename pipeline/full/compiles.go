package full

import (
	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/internal/layers"
)

// Compiles reports what is wrong with a text if it were the user's trammel.yaml.
func (p *Program) Compiles(text []byte) error {
	set := &layers.Set{Root: "/", Files: []layers.File{{Path: "trammel.yaml", Layer: layers.User, Dir: "/", Data: text,
		Trust: layers.Trusted}}}
	_, err := config.Compile(set, p.Known())
	return err
}
