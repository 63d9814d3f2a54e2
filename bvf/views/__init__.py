"""What pictures show, computed from results: arrays and names, without a drawing library, colours or layout."""
