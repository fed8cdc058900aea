"""Cowling, Ward and Powley 2012: Magic with ensembles of trees."""
