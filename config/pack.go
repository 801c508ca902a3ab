package config

// PackDecl is a hook of a process pack.
type PackDecl struct {
	Dir     Text            `json:"dir" jsonschema:"The directory of the pack. A relative path starts at the directory of this file."`
	Hook    Text            `json:"hook" jsonschema:"The id of the hook in the pack's hooks.yaml."`
	Payload map[string]Text `json:"payload,omitempty" jsonschema:"What the hook gets, by name: paths into the event in its native form, such as tool.input.command. Without it, the whole event."`
}

// pack describes the hook of a pack.
func (d *declared) pack() (map[string]any, mark) {
	p := d.decl.Pack
	parts := map[string]any{}
	put(parts, "dir", string(p.Dir))
	put(parts, "hook", string(p.Hook))
	if len(p.Payload) > 0 {
		payload := make(map[string]string, len(p.Payload))
		for name, path := range p.Payload {
			payload[name] = string(path)
		}
		parts["payload"] = payload
	}
	return parts, d.formMark()
}
