package server

import (
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/internal/lazy"
	"github.com/trammel-dev/trammel/server/auth"
	"github.com/trammel-dev/trammel/store"
)

type object = map[string]any

var inPath = lazy.Regexp(`\{(\w+)\}`)

// document is the OpenAPI document, generated from the table of routes.
func (s *Server) document() object {
	paths, schemas := object{}, object{}
	for _, r := range s.routes() {
		item, _ := paths[r.path].(object)
		if item == nil {
			item = object{}
			paths[r.path] = item
		}
		item[strings.ToLower(r.method)] = r.operation(schemas)
	}
	return object{"openapi": "3.1.0", "info": object{"title": "Trammel", "version": s.Program.Version,
		"description": "Judges events of AI agents, and lets people decide."},
		"paths": paths, "components": object{"schemas": schemas, "securitySchemes": object{
			"token": object{"type": "http", "scheme": "bearer"}, "session": object{"type": "apiKey", "in": "cookie", "name": "trammel"}}}}
}

func (r *route) operation(schemas object) object {
	op := object{"summary": r.about}
	var params []object
	for _, m := range inPath().FindAllStringSubmatch(r.path, -1) {
		params = append(params, object{"name": m[1], "in": "path", "required": true, "schema": object{"type": "string"}})
	}
	for _, q := range r.query {
		name, about, _ := strings.Cut(q, ": ")
		params = append(params, object{"name": name, "in": "query", "description": about, "schema": object{"type": "string"}})
	}
	if params != nil {
		op["parameters"] = params
	}
	if r.takes != nil {
		op["requestBody"] = object{"required": true, "content": object{"application/json": object{"schema": schema(reflect.TypeOf(r.takes),
			schemas)}}}
	}
	if r.role > auth.Nobody {
		op["description"] = "Needs the role " + r.role.String() + "."
		op["security"] = []object{{"token": []string{}}, {"session": []string{}}}
	}
	responses := object{}
	for _, status := range r.allStatuses() {
		responses[strconv.Itoa(status)] = r.response(status, schemas)
	}
	op["responses"] = responses
	return op
}

// allStatuses are all statuses that the route may return.
func (r *route) allStatuses() []int {
	out := slices.Concat([]int{http.StatusOK}, r.statuses, anyStatus)
	if r.role > auth.Nobody {
		out = append(out, everyRole...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (r *route) response(status int, schemas object) object {
	out := object{"description": http.StatusText(status)}
	switch media, text := r.gives.(string); {
	case status >= 400:
		out["content"] = object{"application/problem+json": object{"schema": schema(reflect.TypeFor[Problem](), schemas)}}
	case status != http.StatusOK || text && media == "":
	case text:
		out["content"] = object{media: object{"schema": object{"type": "string"}}}
	default:
		out["content"] = object{"application/json": object{"schema": schema(reflect.TypeOf(r.gives), schemas)}}
	}
	return out
}

// schema describes a type. Structures are described once, under their name.
func schema(t reflect.Type, schemas object) object {
	switch t {
	case reflect.TypeFor[time.Time]():
		return object{"type": "string", "format": "date-time"}
	case reflect.TypeFor[store.Time]():
		return object{"type": []string{"string", "null"}, "format": "date-time"}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return schema(t.Elem(), schemas)
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 { // raw JSON
			return object{}
		}
		return object{"type": "array", "items": schema(t.Elem(), schemas)}
	case reflect.Interface: // anything
		return object{}
	case reflect.Map:
		return object{"type": "object"}
	case reflect.String:
		return object{"type": "string"}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Struct:
		structure(t, schemas)
		return object{"$ref": "#/components/schemas/" + t.Name()}
	}
	return object{"type": "integer"}
}

func structure(t reflect.Type, schemas object) {
	if schemas[t.Name()] != nil {
		return
	}
	fields, required := object{}, []string{}
	schemas[t.Name()] = object{"type": "object", "properties": fields}
	for f := range t.Fields() {
		name, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
		fields[name] = schema(f.Type, schemas)
		if !strings.Contains(rest, "omit") {
			required = append(required, name)
		}
	}
	schemas[t.Name()].(object)["required"] = required
}
