package yamldoc

// SchemaLine is the first line of a trammel.yaml that we write: editors find the
// schema by it (TEAM-51).
const SchemaLine = "# yaml-language-server: $schema=https://trammel.dev/trammel.schema.json\n"
