"""The engines that do tasks, such as scoring shards: in this process, or in several."""
