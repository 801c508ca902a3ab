package process

// Contract is what an agent needs to know to take part: the actions, what they
// require, and the possible routes (fst.help.process_contract).
type Contract struct {
	Protocol      string         `json:"protocol_version"`
	Process       string         `json:"process_id"`
	Version       string         `json:"process_version"`
	Profile       string         `json:"profile_id"`
	ProfileDigest string         `json:"profile_hash"`
	Purpose       string         `json:"purpose,omitempty"`
	Actors        []string       `json:"actor_roles"`
	Routes        []Route        `json:"routes"`
	ArtifactTypes []ArtifactType `json:"artifact_types"`
	Actions       []Action       `json:"actions"`
	Gates         []Gate         `json:"gates"`
}

// Contract is the process's contract.
func (p *Process) Contract() Contract {
	d := p.Definition()
	return Contract{Protocol: ControlProtocol, Process: d.Manifest.ID, Version: d.Manifest.Version, Profile: d.Profile.ID,
		ProfileDigest: d.Digest, Purpose: d.Profile.Purpose, Actors: []string{RoleAgent, RoleUser, RoleSystem}, Routes: Routes(),
		ArtifactTypes: d.Profile.ArtifactTypes, Actions: d.Profile.Actions, Gates: d.Profile.Gates}
}
