package rule

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/match"
	"github.com/trammel-dev/trammel/effects/programs"
)

// environment is what expressions can name. Parts that an event does not have
// are empty, so that a condition about them is false rather than an error.
type environment struct {
	Event       string               `expr:"event"`
	Name        string               `expr:"name"`
	Host        string               `expr:"host"`
	Project     string               `expr:"project"`
	Session     session              `expr:"session"`
	Tool        tool                 `expr:"tool"`
	Input       map[string]any       `expr:"input"`
	Action      action               `expr:"action"`
	Command     string               `expr:"command"`
	Program     string               `expr:"program"`
	Args        args                 `expr:"args"`
	Interactive bool                 `expr:"interactive"`
	Commands    []command            `expr:"commands"`
	Effects     effectLists          `expr:"effects"`
	Runs        func(...string) bool `expr:"runs"`
	Reads       func(...string) bool `expr:"reads"`
	Writes      func(...string) bool `expr:"writes"`
	Deletes     func(...string) bool `expr:"deletes"`
	TalksTo     func(...string) bool `expr:"talks_to"`
	Sends       func(...string) bool `expr:"sends"`

	// The same of which only what is certain counts: see certain.
	SureRuns    func(...string) bool `expr:"#runs"`
	SureReads   func(...string) bool `expr:"#reads"`
	SureWrites  func(...string) bool `expr:"#writes"`
	SureDeletes func(...string) bool `expr:"#deletes"`
	SureTalksTo func(...string) bool `expr:"#talks_to"`
	SureSends   func(...string) bool `expr:"#sends"`

	Path      string                    `expr:"path"`
	Paths     []string                  `expr:"paths"`
	Prompt    string                    `expr:"prompt"`
	Synthetic bool                      `expr:"synthetic"`
	Stop      stop                      `expr:"stop"`
	Source    string                    `expr:"source"`
	Reason    string                    `expr:"reason"`
	Facts     map[string]map[string]any `expr:"facts"`
	Fields    map[string]any            `expr:"fields"`

	// Tick counts the rounds of loops. No expression can spell its name.
	Tick func() bool `expr:"#tick"`
}

type session struct {
	ID      string   `expr:"id"`
	Dir     string   `expr:"dir"`
	Agent   string   `expr:"agent"`
	AgentID string   `expr:"agent_id"`
	Parents []string `expr:"parents"`
	Model   string   `expr:"model"`
	Mode    string   `expr:"mode"`
	Bypass  bool     `expr:"bypass"`
	User    string   `expr:"user"`
	Org     string   `expr:"org"`
}

type tool struct {
	Name   string `expr:"name"`
	ID     string `expr:"id"`
	Output string `expr:"output"`
	Error  string `expr:"error"`
	Failed bool   `expr:"failed"`
	Done   bool   `expr:"done"`
}

type action struct {
	Kind    string   `expr:"kind"`
	Command string   `expr:"command"`
	Dir     string   `expr:"dir"`
	Paths   []string `expr:"paths"`
	Content string   `expr:"content"`
	URL     string   `expr:"url"`
	Query   string   `expr:"query"`
	Server  string   `expr:"server"`
	Tool    string   `expr:"tool"`
	Agent   string   `expr:"agent"`
}

type args struct {
	Has     func(any ...string) bool     `expr:"has"`
	Starts  func(any ...string) bool     `expr:"starts"`
	Value   func(names ...string) string `expr:"value"`
	List    []string                     `expr:"list"`
	Text    string                       `expr:"text"`
	Unknown bool                         `expr:"unknown"`

	SureHas    func(any ...string) bool `expr:"#has"`
	SureStarts func(any ...string) bool `expr:"#starts"`
}

type stop struct {
	Active  bool   `expr:"active"`
	Message string `expr:"message"`
}

func environmentOf(ev *trammel.Event) *environment {
	s := &ev.Session
	env := &environment{
		Event: ev.Kind.String(), Name: ev.Name, Host: ev.Host, Project: s.Project,
		Session: session{s.ID, s.Dir, s.Agent, s.AgentID, s.Parents, s.Model, s.Mode, s.Bypass, s.User, s.Org},
		Source:  ev.Source, Reason: ev.Reason, Facts: ev.Facts, Fields: ev.Fields,
	}
	if t := ev.Tool; t != nil {
		a := &t.Action
		env.Tool = tool{t.Name, t.ID, t.Output, t.Error, t.Failed, t.Done}
		env.Input = t.Input
		env.Action = action{a.Kind.String(), a.Command, a.Dir, a.Paths, a.Content, a.URL, a.Query, a.Server, a.Tool, a.Agent}
		env.Command, env.Path, env.Paths = a.Command, firstPath(ev), a.Paths
	}
	if ev.Prompt != nil {
		env.Prompt, env.Synthetic = ev.Prompt.Text, ev.Prompt.Synthetic
	}
	if ev.Stop != nil {
		env.Stop = stop{ev.Stop.Active, ev.Stop.Message}
	}
	return env
}

// bind makes program and args those of one program.
func (env *environment) bind(w match.Words) {
	env.Program, env.Args, env.Interactive = "", argsOf(w), false
	if w.Run != nil {
		env.Program, env.Interactive = w.Run.Program, programs.Interactive(w.Run)
	}
}

func argsOf(w match.Words) args {
	sure := match.Words{Run: w.Run}
	return args{Has: w.Has, Starts: w.Starts, Value: w.Value, List: w.List(), Text: w.Text(), Unknown: w.Unknown(),
		SureHas: sure.Has, SureStarts: sure.Starts}
}
