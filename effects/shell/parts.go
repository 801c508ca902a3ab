package shell

import (
	"github.com/trammel-dev/trammel/effects/model"
)

// The parts of a reading, by their short names.
type (
	Set     = model.Set
	Run     = model.Run
	Word    = model.Word
	Assign  = model.Assign
	Path    = model.Path
	Op      = model.Op
	File    = model.File
	Net     = model.Net
	Code    = model.Code
	Doubt   = model.Doubt
	Setting = model.Setting
	span    = model.Span
)

// What happens to a file, and where code comes from.
const (
	Read    = model.Read
	Write   = model.Write
	Delete  = model.Delete
	Move    = model.Move
	Link    = model.Link
	Mode    = model.Mode
	Search  = model.Search
	Inline  = model.Inline
	Piped   = model.Piped
	OnDisk  = model.OnDisk
	Made    = model.Made
	Network = model.Network
)
