"""The reproduction book: every claim of five studies, our figures beside the published ones, and a verdict."""
