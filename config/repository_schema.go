package config

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"
)

// RepositoryHookSchema returns the JSON Schema of a file below .system/hooks,
// for editors, from the types that the reader fills. That a match key fits its
// event only the reader checks.
func RepositoryHookSchema() ([]byte, error) {
	s, err := jsonschema.For[RepositoryHook](&jsonschema.ForOptions{TypeSchemas: typeSchemas(reflect.TypeFor[RepositoryHook]())})
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	s.Schema = "https://json-schema.org/draft/2020-12/schema"
	s.ID = "https://trammel.dev/repository-hook.schema.json"
	s.Title = "Repository hook"
	each(s, withoutNull)
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	return append(data, '\n'), nil
}
