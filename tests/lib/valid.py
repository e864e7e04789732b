"""valid.py FOLDER FILE…: where documents break the schemas in FOLDER; nothing where all are valid. A key that the schema
does not name breaks it, too. Exit status 3: there is no validator."""
import json, os, re, sys
try:
    import jsonschema
except ImportError:
    sys.exit(3)


def close(schema):
    if isinstance(schema, dict):
        if "properties" in schema and isinstance(schema.get("type"), list):
            schema["additionalProperties"] = False
        for part in schema.values():
            close(part)
    elif isinstance(schema, list):
        for part in schema:
            close(part)


VALIDATOR = getattr(jsonschema, "Draft202012Validator", jsonschema.Draft7Validator)
validators = {}
for path in sys.argv[2:]:
    with open(path) as file:
        document = json.load(file)
    name = re.fullmatch(r"hecate\.(\w+)/1", document["schema"])[1]
    if name not in validators:
        with open(os.path.join(sys.argv[1], name + ".json")) as file:
            schema = json.load(file)
        close(schema)
        VALIDATOR.check_schema(schema)
        validators[name] = VALIDATOR(schema)
    for error in validators[name].iter_errors(document):
        print(name, "/".join(map(str, error.path)), error.message[-150:])
