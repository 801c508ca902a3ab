// Package scripted is a planner that follows a script: it sends lines to the
// Agent Runtime and compares what comes back with what the script expects.
//
// A script has one JSON object a line. {"send": {…}} sends a line, {"raw": "…"}
// sends bytes as they are, {"end": true} ends the input. {"expect": {…}} waits
// for the next line, which must have all these fields; "keep" remembers parts
// of it under names that later lines refer to as {{name}}:
//
//	{"send": {"type":"action","id":"1","action":"CREATE_TASK","ability":"say.hello","input":{}}}
//	{"expect": {"type":"result","id":"1","result":{"status":"available"}}, "keep": {"task":"result.task_key"}}
//	{"send": {"type":"action","id":"2","action":"RUN_TASK","task_key":"{{task}}"}}
package scripted

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/tasks/fill"
)

// Runtime is what the planner speaks with: agent.Runtime.
type Runtime interface {
	Serve(ctx context.Context, in io.Reader, out io.Writer) error
}

// Play plays a script to its end. The error says at which line what came was
// not what was expected.
func Play(ctx context.Context, r Runtime, script io.Reader) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	in, send := io.Pipe()
	receive, out := io.Pipe()
	served := make(chan error, 1)
	go func() {
		err := r.Serve(ctx, in, out)
		out.CloseWithError(io.EOF)
		in.CloseWithError(io.ErrClosedPipe)
		served <- err
	}()
	p := &planner{send: send, receive: bufio.NewReader(receive), kept: map[string]any{}}
	err := p.play(script)
	send.Close()
	if err != nil {
		cancel()
	}
	go io.Copy(io.Discard, receive)
	if e := <-served; err == nil {
		err = e
	}
	receive.Close()
	return err
}

type planner struct {
	send    *io.PipeWriter
	receive *bufio.Reader
	kept    map[string]any
}

func (p *planner) play(script io.Reader) error {
	lines := bufio.NewScanner(script)
	lines.Buffer(nil, 8<<20)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		step, err := strict.Object([]byte(text), strict.Limits{})
		if err == nil {
			err = p.step(step)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	return lines.Err()
}

func (p *planner) step(step map[string]any) error {
	f := strict.FieldsOf(step, "")
	message, raw, expect, keep, end := f.Object("send"), f.String("raw"), f.Object("expect"), f.Object("keep"), f.Bool("end")
	if err := f.Done(); err != nil {
		return err
	}
	switch {
	case end:
		return p.send.Close()
	case raw != "":
		_, err := io.WriteString(p.send, raw)
		return err
	case message != nil:
		filled, _, err := fill.Value(message, p.kept)
		if err != nil {
			return err
		}
		data, err := canonical.Append(nil, filled)
		if err != nil {
			return err
		}
		_, err = p.send.Write(append(data, '\n'))
		return err
	}
	return p.expect(expect, keep)
}

func (p *planner) expect(expect, keep map[string]any) error {
	line, err := p.receive.ReadString('\n')
	if err != nil {
		return fmt.Errorf("nothing came: %w", err)
	}
	got, err := strict.Object([]byte(line), strict.Limits{})
	if err != nil {
		return err
	}
	want, _, err := fill.Value(expect, p.kept)
	if err != nil {
		return err
	}
	if where := differs(want, got, ""); where != "" {
		return fmt.Errorf("%s differs in %s", strings.TrimSpace(line), where)
	}
	for name, path := range keep {
		at, ok := path.(string)
		if !ok {
			return fmt.Errorf("keep %s: expected the path of a field", name)
		}
		value, _, err := fill.Value("{{"+at+"}}", got)
		if err != nil {
			return err
		}
		p.kept[name] = value
	}
	return nil
}

// differs finds where got lacks something of want; objects may have more
// fields, lists may not have more elements.
func differs(want, got any, at string) string {
	switch want := want.(type) {
	case map[string]any:
		object, ok := got.(map[string]any)
		if !ok {
			return at
		}
		for key, value := range want {
			if where := differs(value, object[key], at+"."+key); where != "" {
				return where
			}
		}
		return ""
	case []any:
		list, ok := got.([]any)
		if !ok || len(list) != len(want) {
			return at
		}
		for i := range want {
			if where := differs(want[i], list[i], fmt.Sprintf("%s[%d]", at, i)); where != "" {
				return where
			}
		}
		return ""
	}
	if !reflect.DeepEqual(want, got) {
		return at
	}
	return ""
}
