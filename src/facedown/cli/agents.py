"""The command facedown agents."""

from facedown.cli.arguments import AS_JSON
from facedown.cli.listing import describe_options, print_list


def agents(json: bool = AS_JSON) -> None:
    """List the agents with their options."""
    from facedown.agents import agent_class
    from facedown.agents import agents as names

    entries = [
        {
            "name": name,
            "summary": kind.summary,
            "sees_all": kind.sees_all,
            "options": describe_options(kind.declared),
        }
        for name, kind in ((name, agent_class(name)) for name in names())
    ]
    print_list(entries, json, lambda entry: "sees all cards" if entry["sees_all"] else "")
