package packcmd

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/packs/process"
)

func controlCmd() *cobra.Command {
	var req process.Request
	var payload, whole string
	var contract, preflight bool
	cmd := &cobra.Command{Use: "control DIRECTORY|NAME", Args: cobra.ExactArgs(1)}
	asJSON := cli.JSONFlag(cmd)
	f := cmd.Flags()
	f.StringVar(&req.Action, "action", "", "the action, as named in the profile")
	f.StringVar(&payload, "payload", "{}", "its payload: a JSON object, a file, or - for stdin")
	f.StringVar(&whole, "request", "", "the whole request, instead of the other flags: a file, or - for stdin")
	f.StringVar(&req.Run, "run", "", "the run that it belongs to (default: a new one)")
	f.StringVar(&req.Key, "key", "", "an idempotency key: the same request with it gets the same answer")
	f.StringVar(&req.Actor.Role, "actor", "agent", "the actor: agent, task_user or system")
	f.StringVar(&req.Actor.ID, "actor-id", "", "the name of the actor")
	f.BoolVar(&contract, "contract", false, "only print what an agent needs to know about the process")
	f.BoolVar(&preflight, "preflight", false, "right before the effect: check that it is exactly the one that was allowed")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		p, err := OpenProcess(args[0])
		if err != nil {
			return err
		}
		defer p.Close()
		if contract {
			return cli.JSON(cmd.OutOrStdout(), p.Contract())
		}
		if err := readRequest(cmd, &req, payload, whole); err != nil {
			return err
		}
		if mark := cli.AgentMark(); mark != "" && req.Actor.Role != "" && req.Actor.Role != process.RoleAgent {
			return tellRoute(cmd.OutOrStdout(), &process.Response{Status: process.StatusError, Code: process.CodeActor, Decision: "denied",
				Reason: fmt.Sprintf("%s is set: this is an agent's shell, and an agent cannot act for somebody else", mark)}, *asJSON)
		}
		ctx, stop := cli.Interruptible(cmd)
		defer stop()
		call := p.Control
		if preflight {
			call = p.Preflight
		}
		out, err := call(ctx, req)
		if err != nil {
			return err
		}
		return tellRoute(cmd.OutOrStdout(), &out, *asJSON)
	}
	return cmd
}

// OpenProcess opens a process, by its directory or its name, for calls from the current directory.
func OpenProcess(dir string) (*process.Process, error) {
	program, err := cli.Program()
	if err != nil {
		return nil, err
	}
	here, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	p, report, err := program.Process(dir, here)
	if err == nil && p == nil {
		err = fmt.Errorf("the process in %s cannot be used:%s", dir, wrongIn(report.Diagnostics))
	}
	return p, err
}

func readRequest(cmd *cobra.Command, req *process.Request, payload, whole string) error {
	if whole == "" {
		var err error
		req.Payload, err = readPayload(cmd, asFile(payload))
		return err
	}
	raw, err := readArgument(cmd, asFile(whole))
	if err == nil {
		*req, err = process.DecodeRequest(raw)
	}
	return err
}

// asFile treats a text that is neither JSON nor - as the name of a file.
func asFile(text string) string {
	if text == "-" || strings.HasPrefix(text, "@") || strings.HasPrefix(strings.TrimSpace(text), "{") {
		return text
	}
	return "@" + text
}

// tellRoute prints a response and returns its exit code.
func tellRoute(w io.Writer, r *process.Response, asJSON bool) error {
	if asJSON {
		if err := cli.JSON(w, r); err != nil {
			return err
		}
	} else {
		tellRoutePlainly(w, r)
	}
	switch r.Status {
	case process.StatusOK:
		return nil
	case process.StatusNOK:
		return cli.Exit(exitInvalid)
	}
	return cli.Exit(exitFailed)
}

func tellRoutePlainly(w io.Writer, r *process.Response) {
	word := string(r.Route)
	word = cmp.Or(word, r.Status)
	if r.Code != "" {
		word += fmt.Sprintf(" (%s)", r.Code)
	}
	fmt.Fprintln(w, word)
	line := func(name, text string) {
		if text != "" {
			fmt.Fprintf(w, "  %-9s %s\n", name, text)
		}
	}
	line("run", r.Run)
	line("gate", r.Gate)
	line("reason", r.Reason)
	line("do", r.Instruction)
	line("missing", strings.Join(r.Missing, ", "))
	line("approval", r.ApprovalID)
	for _, a := range r.Created {
		line("created", a.Type+" "+a.ID)
	}
	for _, d := range r.Diagnostics {
		line("note", d)
	}
	line("next", strings.Join(r.Next, ", "))
	if r.Replay {
		line("replay", "this request was answered before")
	}
}

func explainCmd() *cobra.Command {
	cmd := &cobra.Command{Use: "explain [RUN]", Args: cobra.MaximumNArgs(1)}
	asJSON := cli.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		s := &cli.Evidence{}
		if err := s.Open(); err != nil {
			return err
		}
		list := []process.Recorded{}
		err := process.Replay(s.Log, strings.Join(args, ""), func(r process.Recorded) error {
			list = append(list, r)
			return nil
		})
		if err != nil {
			return err
		}
		if *asJSON {
			return cli.JSON(cmd.OutOrStdout(), map[string]any{"authoritative": false, "calls": list})
		}
		rows := [][]string{{"SEQ", "RUN", "ACTION", "ACTOR", "ROUTE", "GATE", "CODE", "REASON"}}
		for _, r := range list {
			rows = append(rows, []string{fmt.Sprint(r.Seq), r.Run, r.Action, r.ActorRole, r.Route, r.Gate, r.Code, cli.Line(r.Reason)})
		}
		if err := cli.List(cmd, false, nil, rows, "no control calls are on record"); err != nil {
			return err
		}
		_, err = fmt.Fprintln(cmd.OutOrStdout(), "\nThis is what was recorded. It decides nothing.")
		return err
	}
	return cmd
}
