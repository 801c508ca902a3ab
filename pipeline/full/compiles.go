package full

import (
	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/internal/layers"
)

// Compiles says what is wrong with a text as the user's own trammel.yaml.
func (p *Program) Compiles(text []byte) error {
	set := &layers.Set{Root: "/", Files: []layers.File{{Path: "trammel.yaml", Layer: layers.User, Dir: "/", Data: text,
		Trust: layers.Trusted}}}
	_, err := config.Compile(set, p.Known())
	return err
}
