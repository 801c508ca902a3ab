package trammel

import "testing"

func TestAnswerAdd(t *testing.T) {
	var a Answer
	a.Add(DecisionOf("allow"), Finding{Code: "a"}, "x")
	if a.Decision != None || a.Findings != nil {
		t.Errorf("got %+v", a)
	}
	a.Add(DecisionOf("ask"), Finding{Code: "a"}, "x")
	a.Add(Deny, Finding{Code: "b"}, "y")
	a.Add(Deny, Finding{Code: "b"}, "z")
	if a.Decision != Deny || a.Reason != "y" || len(a.Findings) != 2 || a.Findings[0].Severity != "warning" ||
		a.Findings[1].Severity != "error" {
		t.Errorf("got %+v", a)
	}
	if DecisionOf("dney") != Deny {
		t.Error("an unknown word lets the event pass")
	}
}
